-- Weekly partitions of everything that grows with mail. The keys are UUIDv7, whose first 48 bits are the time of
-- creation in milliseconds (RFC 9562 section 5.7): one column is the primary key and the partition key, a look-up
-- by id touches one partition, and retention drops partitions instead of deleting rows.

CREATE FUNCTION uuid_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
--> statement-breakpoint
CREATE FUNCTION uuid_time(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp((('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint) / 1000.0)
$$;
--> statement-breakpoint
-- Makes the partitions from the week of `since` to `weeks` later. Safe to call at any time, by many at once.
CREATE FUNCTION ensure_partitions(since timestamptz, weeks int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  week timestamptz := date_trunc('week', since AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  name text;
  made int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postrider:partitions'));
  FOR i IN 0..weeks LOOP
    FOREACH parent IN ARRAY ARRAY['messages', 'message_contents', 'message_attempts', 'events'] LOOP
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
-- The net under the partitions: a row whose week was not made ahead is kept here, never refused.
CREATE TABLE messages_default PARTITION OF messages DEFAULT;
--> statement-breakpoint
CREATE TABLE message_contents_default PARTITION OF message_contents DEFAULT;
--> statement-breakpoint
CREATE TABLE message_attempts_default PARTITION OF message_attempts DEFAULT;
--> statement-breakpoint
CREATE TABLE events_default PARTITION OF events DEFAULT;
