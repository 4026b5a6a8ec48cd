CREATE TABLE "system_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid,
	"recipient" text NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "reset_hash" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "reset_expires_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "system_mails_due" ON "system_mails" USING btree ("next_attempt_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_reset" ON "users" USING btree ("reset_hash");