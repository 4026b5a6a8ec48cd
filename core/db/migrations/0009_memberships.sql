-- A person is one row per address and belongs to tenants by memberships; until now each was of one tenant.
CREATE TABLE "memberships" (
	"tenant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_signed_in_at" timestamp (3) with time zone,
	CONSTRAINT "memberships_tenant_id_user_id_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_tenant_id_tenants_id_fk";
--> statement-breakpoint
DROP INDEX "users_tenant";--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
-- In one transaction: whoever was added meanwhile would belong to no tenant.
LOCK TABLE users IN ACCESS EXCLUSIVE MODE;
INSERT INTO memberships (tenant_id, user_id, role, created_at, last_signed_in_at)
	SELECT tenant_id, id, role, created_at, last_signed_in_at FROM users;
ALTER TABLE users DROP COLUMN tenant_id, DROP COLUMN role, DROP COLUMN last_signed_in_at;
