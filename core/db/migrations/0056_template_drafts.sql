CREATE TABLE "template_drafts" (
	"tenant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"template_id" uuid NOT NULL,
	"base_version" integer,
	"revision" uuid NOT NULL,
	"content" jsonb NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "template_drafts_tenant_id_user_id_template_id_pk" PRIMARY KEY("tenant_id","user_id","template_id")
);
--> statement-breakpoint
ALTER TABLE "template_drafts" ADD CONSTRAINT "template_drafts_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;