-- What mail came to by day. The scheduler counts what is there already, too: some minutes for a million messages.
CREATE TABLE "analytics_cursors" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"message_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_days" (
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"value" text NOT NULL,
	"domain_id" uuid NOT NULL,
	"accepted" integer DEFAULT 0 NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"bounced" integer DEFAULT 0 NOT NULL,
	"expired" integer DEFAULT 0 NOT NULL,
	"dropped" integer DEFAULT 0 NOT NULL,
	"cancelled" integer DEFAULT 0 NOT NULL,
	"complained" integer DEFAULT 0 NOT NULL,
	"opened" integer DEFAULT 0 NOT NULL,
	"clicked" integer DEFAULT 0 NOT NULL,
	"unsubscribed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "analytics_days_tenant_id_kind_day_value_domain_id_pk" PRIMARY KEY("tenant_id","kind","day","value","domain_id")
);
--> statement-breakpoint
CREATE TABLE "message_engagements" (
	"message_id" uuid NOT NULL,
	"type" text NOT NULL,
	"tenant_id" uuid NOT NULL,
	CONSTRAINT "message_engagements_message_id_type_pk" PRIMARY KEY("message_id","type")
) PARTITION BY RANGE ("message_id");
--> statement-breakpoint
CREATE TABLE message_engagements_default PARTITION OF message_engagements DEFAULT;
--> statement-breakpoint
-- The weeks that have messages.
DO $$
DECLARE
  week text;
BEGIN
  FOR week IN
    SELECT right(c.relname, 7) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'messages'::regclass AND c.relname ~ '_[0-9]{4}w[0-9]{2}$'
  LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF message_engagements FOR VALUES FROM (%L) TO (%L)',
      'message_engagements_' || week,
      uuid_floor(to_date(week, 'IYYY"w"IW')::timestamp AT TIME ZONE 'UTC'),
      uuid_floor(to_date(week, 'IYYY"w"IW')::timestamp AT TIME ZONE 'UTC' + interval '7 days'));
  END LOOP;
END $$;
