CREATE TABLE "bulk_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"action" text NOT NULL,
	"filter" jsonb,
	"chosen" jsonb,
	"list_id" uuid,
	"actor" jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"cursor" jsonb,
	"done" integer DEFAULT 0 NOT NULL,
	"refused" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"claim_version" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD CONSTRAINT "bulk_changes_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_changes_work" ON "bulk_changes" USING btree ("touched_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "bulk_changes_tenant" ON "bulk_changes" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "bulk_changes_finished" ON "bulk_changes" USING btree ("finished_at");