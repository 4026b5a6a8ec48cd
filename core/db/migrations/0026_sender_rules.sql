ALTER TABLE "domains" ADD COLUMN "sender_rules_enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "sender_rules_lifted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "domains_sender_rules" ON "domains" USING btree ("sender_rules_lifted_at") WHERE sender_rules_lifted_at is not null;