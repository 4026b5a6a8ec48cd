ALTER TABLE "message_attempts" ADD COLUMN "tls_verified" boolean;--> statement-breakpoint
ALTER TABLE "message_attempts" ADD COLUMN "tls_policy" text;--> statement-breakpoint
ALTER TABLE "message_attempts" ADD COLUMN "certificate" jsonb;