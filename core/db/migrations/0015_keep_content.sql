CREATE TABLE "unkept_contents" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "keep_content" boolean DEFAULT true NOT NULL;