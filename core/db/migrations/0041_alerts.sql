CREATE TABLE "alert_chats" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"domain_id" uuid,
	"threshold" double precision NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"mail" boolean DEFAULT true NOT NULL,
	"chat" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_settings" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"sealed_chat_url" "bytea",
	"chat_host" text
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"domain_id" uuid,
	"value" double precision NOT NULL,
	"threshold" double precision NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "refused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "refused_from" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "refused_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_settings" ADD CONSTRAINT "alert_settings_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_chats_due" ON "alert_chats" USING btree ("next_attempt_at","id");--> statement-breakpoint
CREATE INDEX "alert_chats_tenant" ON "alert_chats" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_rules_one" ON "alert_rules" USING btree ("tenant_id","kind",coalesce(domain_id, tenant_id));--> statement-breakpoint
CREATE INDEX "alert_rules_kind" ON "alert_rules" USING btree ("kind","id") WHERE enabled;--> statement-breakpoint
CREATE INDEX "alert_rules_domain" ON "alert_rules" USING btree ("domain_id") WHERE domain_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_open" ON "alerts" USING btree ("rule_id","subject_id") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "alerts_tenant" ON "alerts" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "alerts_old" ON "alerts" USING btree ("resolved_at") WHERE resolved_at is not null;--> statement-breakpoint
CREATE FUNCTION announce_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce(new.tenant_id, CASE WHEN new.resolved_at IS NULL THEN 'alert.opened' ELSE 'alert.resolved' END,
    jsonb_build_object('alert_id', new.id, 'kind', new.kind, 'subject', new.subject, 'domain_id', new.domain_id,
      'value', new.value, 'threshold', new.threshold));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER alerts_announce AFTER INSERT OR UPDATE OF resolved_at ON alerts FOR EACH ROW
	EXECUTE FUNCTION announce_alert();
