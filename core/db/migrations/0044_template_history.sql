ALTER TABLE "template_versions" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "restored_from" integer;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "test_data" json DEFAULT '{}'::json NOT NULL;