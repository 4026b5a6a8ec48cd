ALTER TABLE "tenants" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "reactivated_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "tenants_reactivated" ON "tenants" USING btree ("reactivated_at");