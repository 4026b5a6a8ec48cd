ALTER TABLE "domains" ADD COLUMN "next_check_at" timestamp (3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "first_steps_hidden_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "time_zone" text;--> statement-breakpoint
CREATE INDEX "domains_next_check" ON "domains" USING btree ("next_check_at") WHERE status = 'pending';