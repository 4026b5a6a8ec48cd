-- What happened, on its way to those who follow it. The events that are there already are given their positions here, in
-- the order of their ids, about 20 s for a million.
CREATE TABLE "event_log" (
	"tenant_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	CONSTRAINT "event_log_tenant_id_position_event_id_pk" PRIMARY KEY("tenant_id","position","event_id")
) PARTITION BY RANGE ("event_id");
--> statement-breakpoint
CREATE TABLE "event_log_heads" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"removed_to" bigint DEFAULT 0 NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE TABLE "event_outbox" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_outbox_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb
);
--> statement-breakpoint
-- Every row is deleted soon after it was written. What is dead is removed after 5,000 rows, however large the table once
-- was, and the file keeps its size: shortening it would make writers wait.
ALTER TABLE event_outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
	autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000, vacuum_truncate = off);
--> statement-breakpoint
CREATE TABLE event_log_default PARTITION OF event_log DEFAULT;
--> statement-breakpoint
-- As in 0013_message_search.sql, with event_log.
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
      'message_terms', 'event_log'] LOOP
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
-- The weeks that have events.
DO $$
DECLARE
  week text;
BEGIN
  FOR week IN
    SELECT right(c.relname, 7) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass AND c.relname ~ '_[0-9]{4}w[0-9]{2}$'
  LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF event_log FOR VALUES FROM (%L) TO (%L)', 'event_log_' || week,
      uuid_floor(to_date(week, 'IYYY"w"IW')::timestamp AT TIME ZONE 'UTC'),
      uuid_floor(to_date(week, 'IYYY"w"IW')::timestamp AT TIME ZONE 'UTC' + interval '7 days'));
  END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION outbox_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_outbox (id, tenant_id, type) SELECT id, tenant_id, type FROM added;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Whoever writes events waits for this or is waited for: each event is in the outbox, or it is committed here and not in it.
CREATE TRIGGER events_outbox AFTER INSERT ON events
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outbox_events();
--> statement-breakpoint
-- Up to which event the log is filled.
CREATE TABLE event_log_filled AS SELECT '00000000-0000-0000-0000-000000000000'::uuid AS up_to;
--> statement-breakpoint
CREATE INDEX event_outbox_filling ON event_outbox (id);
--> statement-breakpoint
-- repeated
WITH batch AS MATERIALIZED (
  SELECT e.id, e.tenant_id, e.type FROM events e
  WHERE e.id > (SELECT up_to FROM event_log_filled) AND NOT EXISTS (SELECT FROM event_outbox o WHERE o.id = e.id)
  ORDER BY e.id LIMIT 2000),
filled AS (UPDATE event_log_filled SET up_to = b.id FROM (SELECT id FROM batch ORDER BY id DESC LIMIT 1) b),
placed AS (
  INSERT INTO event_log (tenant_id, position, event_id, type)
  SELECT b.tenant_id, coalesce(h.position, 0) + row_number() OVER (PARTITION BY b.tenant_id ORDER BY b.id), b.id, b.type
  FROM batch b LEFT JOIN event_log_heads h ON h.tenant_id = b.tenant_id
  RETURNING tenant_id, position)
INSERT INTO event_log_heads (tenant_id, position) SELECT tenant_id, max(position) FROM placed GROUP BY tenant_id
ON CONFLICT (tenant_id) DO UPDATE SET position = excluded.position;
--> statement-breakpoint
DROP INDEX event_outbox_filling;
--> statement-breakpoint
DROP TABLE event_log_filled;
