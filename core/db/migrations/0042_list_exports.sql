CREATE TABLE "list_export_chunks" (
	"export_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"tenant_id" uuid NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "list_export_chunks_export_id_seq_pk" PRIMARY KEY("export_id","seq")
);
--> statement-breakpoint
CREATE TABLE "list_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"filter" jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"cursor" jsonb,
	"rows" integer DEFAULT 0 NOT NULL,
	"chunks" integer DEFAULT 0 NOT NULL,
	"size_bytes" bigint DEFAULT 0 NOT NULL,
	"is_cut" boolean DEFAULT false NOT NULL,
	"claim_version" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "list_exports" ADD CONSTRAINT "list_exports_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "list_exports_work" ON "list_exports" USING btree ("touched_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "list_exports_expiry" ON "list_exports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "list_exports_tenant" ON "list_exports" USING btree ("tenant_id","id");