CREATE TABLE "acme_accounts" (
	"directory_url" text PRIMARY KEY NOT NULL,
	"sealed_key" "bytea" NOT NULL,
	"account_url" text,
	"orders" integer DEFAULT 0 NOT NULL,
	"orders_since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracking_hosts" (
	"domain_id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"check_at" timestamp (3) with time zone NOT NULL,
	"missing_since" timestamp (3) with time zone,
	"certificate" text,
	"certificate_fingerprint" text,
	"certificate_expires_at" timestamp (3) with time zone,
	"sealed_key" "bytea",
	"order_at" timestamp (3) with time zone NOT NULL,
	"claim_version" integer DEFAULT 0 NOT NULL,
	"order_url" text,
	"sealed_order_key" "bytea",
	"challenge_token" text,
	"challenge_answer" text,
	"failures" smallint DEFAULT 0 NOT NULL,
	"problem" text
);
--> statement-breakpoint
ALTER TABLE "tracking_hosts" ADD CONSTRAINT "tracking_hosts_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tracking_hosts_name" ON "tracking_hosts" USING btree ("name");--> statement-breakpoint
CREATE INDEX "tracking_hosts_check" ON "tracking_hosts" USING btree ("check_at");--> statement-breakpoint
CREATE INDEX "tracking_hosts_order" ON "tracking_hosts" USING btree ("order_at");--> statement-breakpoint
CREATE INDEX "tracking_hosts_challenge" ON "tracking_hosts" USING btree ("challenge_token");--> statement-breakpoint
CREATE INDEX "domains_tracking_found" ON "domains" USING btree ("id") WHERE record_status -> 'tracking' ->> 'status' = 'found';