-- One table's partition of one week, so that each has a transaction of its own: whoever makes several at once holds the lock
-- of one table while it waits for the next, and a writer of both waits for it in a circle.
CREATE FUNCTION ensure_partition(parent text, at timestamptz) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  week timestamptz := date_trunc('week', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  name text := parent || '_' || to_char(week AT TIME ZONE 'UTC', 'IYYY"w"IW');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postrider:partitions'));
  IF to_regclass(name) IS NOT NULL THEN
    RETURN 0;
  END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
    name, parent, uuid_floor(week), uuid_floor(week + interval '7 days'));
  -- Every message row is updated once or twice: room on the page keeps its new version near.
  IF parent = 'messages' THEN
    EXECUTE format('ALTER TABLE %I SET (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.05)', name);
  END IF;
  IF parent = 'message_contents' THEN
    EXECUTE format('ALTER TABLE %I ALTER COLUMN content SET COMPRESSION lz4', name);
  END IF;
  RETURN 1;
END $$;
--> statement-breakpoint
-- A scheduler that was not upgraded yet still calls it.
CREATE OR REPLACE FUNCTION ensure_partitions(since timestamptz, weeks int) RETURNS int LANGUAGE sql AS $$
  SELECT sum(ensure_partition(parent, since + week * interval '7 days'))::int
  FROM generate_series(0, weeks) week, unnest(ARRAY['messages', 'message_contents', 'message_attempts', 'events',
    'message_segments', 'message_terms', 'event_log']) parent
$$;
