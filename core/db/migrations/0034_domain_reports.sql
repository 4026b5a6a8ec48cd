CREATE TABLE "domain_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"type" text NOT NULL,
	"reporter" text NOT NULL,
	"report_id" text NOT NULL,
	"sender" text NOT NULL,
	"authenticated" boolean NOT NULL,
	"begin" timestamp (3) with time zone NOT NULL,
	"end" timestamp (3) with time zone NOT NULL,
	"total" bigint NOT NULL,
	"passed" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"sources" jsonb NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domain_reports" ADD CONSTRAINT "domain_reports_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domain_reports_once" ON "domain_reports" USING btree ("domain_id","type","reporter","sender","report_id");--> statement-breakpoint
CREATE INDEX "domain_reports_domain" ON "domain_reports" USING btree ("domain_id","id");