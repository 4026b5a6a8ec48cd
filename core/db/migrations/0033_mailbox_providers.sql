CREATE TABLE "provider_days" (
	"tenant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"provider" text NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"deferred" integer DEFAULT 0 NOT NULL,
	"bounced" integer DEFAULT 0 NOT NULL,
	"complained" integer DEFAULT 0 NOT NULL,
	"replies" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "provider_days_tenant_id_day_provider_pk" PRIMARY KEY("tenant_id","day","provider")
);
--> statement-breakpoint
ALTER TABLE "message_attempts" ADD COLUMN "provider" text;--> statement-breakpoint
-- Adds the counts of two objects (reply → count) and keeps the 20 most frequent; what the others came to stands in `other`.
-- Under the lock of the row of a day, so that whoever sends replies at will fills no more than 20 places.
CREATE FUNCTION merge_replies(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  WITH counted AS (
    SELECT key, sum(value::int) AS count
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) said GROUP BY key),
  placed AS (
    SELECT key, count, row_number() OVER (ORDER BY key = 'other', count DESC, key) AS place FROM counted),
  kept AS (
    SELECT CASE WHEN place <= 20 THEN key ELSE 'other' END AS key, sum(count)::int AS count FROM placed GROUP BY 1)
  SELECT coalesce(jsonb_object_agg(key, count), '{}') FROM kept
$$;
