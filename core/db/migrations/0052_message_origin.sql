ALTER TABLE "attempt_days" ADD COLUMN "system_accepted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "origin" text;