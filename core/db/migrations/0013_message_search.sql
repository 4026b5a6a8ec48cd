-- The index of messages for search. It is filled by the scheduler, the messages that are there already among the rest:
-- one or two minutes for a million.
CREATE TABLE "message_segments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"after_id" uuid NOT NULL,
	"ids" "bytea" NOT NULL
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "message_terms" (
	"tenant_id" uuid NOT NULL,
	"term" text COLLATE "C" NOT NULL,
	"segment_id" uuid NOT NULL,
	"positions" "bytea" NOT NULL,
	CONSTRAINT "message_terms_tenant_id_term_segment_id_pk" PRIMARY KEY("tenant_id","term","segment_id")
) PARTITION BY RANGE ("segment_id");
--> statement-breakpoint
CREATE INDEX "message_segments_tenant" ON "message_segments" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "messages_state" ON "messages" USING btree ("tenant_id","state","id") WHERE state <> 'sending';--> statement-breakpoint
-- Random bytes do not compress, and one id is read without the others.
ALTER TABLE message_segments ALTER COLUMN ids SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE message_segments_default PARTITION OF message_segments DEFAULT;
--> statement-breakpoint
CREATE TABLE message_terms_default PARTITION OF message_terms DEFAULT;
--> statement-breakpoint
-- As in 0001_partitions.sql, with the two tables more.
CREATE OR REPLACE FUNCTION ensure_partitions(since timestamptz, weeks int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  week timestamptz := date_trunc('week', since AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  name text;
  made int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postrider:partitions'));
  FOR i IN 0..weeks LOOP
    FOREACH parent IN ARRAY ARRAY['messages', 'message_contents', 'message_attempts', 'events', 'message_segments',
      'message_terms'] LOOP
      name := parent || '_' || to_char(week AT TIME ZONE 'UTC', 'IYYY"w"IW');
      IF to_regclass(name) IS NULL THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          name, parent, uuid_floor(week), uuid_floor(week + interval '7 days'));
        made := made + 1;
        -- Every message row is updated once or twice: room on the page keeps its new version near.
        IF parent = 'messages' THEN
          EXECUTE format('ALTER TABLE %I SET (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.05)', name);
        END IF;
        IF parent = 'message_contents' THEN
          EXECUTE format('ALTER TABLE %I ALTER COLUMN content SET COMPRESSION lz4', name);
        END IF;
      END IF;
    END LOOP;
    week := week + interval '7 days';
  END LOOP;
  RETURN made;
END $$;
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
    EXECUTE format('CREATE TABLE %I PARTITION OF message_segments FOR VALUES FROM (%L) TO (%L)', 'message_segments_' || week,
      uuid_floor(to_date(week, 'IYYY"w"IW')::timestamp AT TIME ZONE 'UTC'),
      uuid_floor(to_date(week, 'IYYY"w"IW')::timestamp AT TIME ZONE 'UTC' + interval '7 days'));
    EXECUTE format('CREATE TABLE %I PARTITION OF message_terms FOR VALUES FROM (%L) TO (%L)', 'message_terms_' || week,
      uuid_floor(to_date(week, 'IYYY"w"IW')::timestamp AT TIME ZONE 'UTC'),
      uuid_floor(to_date(week, 'IYYY"w"IW')::timestamp AT TIME ZONE 'UTC' + interval '7 days'));
  END LOOP;
END $$;
