-- What a domain's mail came to, per UTC day: what the dashboard draws and reputation is made from. Rows are added to
-- by the statement that inserts events, whoever runs it, so that the counts are exact from the same commit on.
--
-- `simulated` is mail to the built-in mailbox simulator, counted apart. `sent` counts messages on the day of their
-- first attempt. A message that its next hop took and then returned (a DSN) moves from delivered to bounced on the day
-- that it was delivered. `opened` and `clicked` count messages, by people; the `machine_` columns count requests.
CREATE TABLE domain_days (
	tenant_id uuid NOT NULL,
	domain_id uuid NOT NULL,
	day date NOT NULL,
	simulated boolean NOT NULL,
	sent integer NOT NULL DEFAULT 0,
	delivered integer NOT NULL DEFAULT 0,
	bounced integer NOT NULL DEFAULT 0,
	hard_bounced integer NOT NULL DEFAULT 0,
	complained integer NOT NULL DEFAULT 0,
	opened integer NOT NULL DEFAULT 0,
	clicked integer NOT NULL DEFAULT 0,
	machine_opened integer NOT NULL DEFAULT 0,
	machine_clicked integer NOT NULL DEFAULT 0,
	unsubscribed integer NOT NULL DEFAULT 0,
	PRIMARY KEY (domain_id, day, simulated)
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE INDEX domain_days_tenant ON domain_days (tenant_id, day);
--> statement-breakpoint
CREATE INDEX suppressions_newest ON suppressions (tenant_id, created_at DESC, email DESC);
--> statement-breakpoint
-- Whether an open or click was a person's: kept by whoever recorded it.
CREATE FUNCTION is_human(type text, data jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (type = 'open' AND NOT coalesce((data ->> 'machine_open')::boolean, false))
      OR (type = 'click' AND NOT coalesce((data ->> 'machine_click')::boolean, false))
$$;
--> statement-breakpoint
-- Rows are written in the order of the primary key, so that two batches never wait for each other in a circle. The
-- scalar subqueries are run once per event, by index: the planner knows nothing of how few events a batch has.
CREATE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM added WHERE type NOT IN ('dropped', 'cancelled')) THEN RETURN NULL; END IF;
  INSERT INTO domain_days AS d (tenant_id, domain_id, day, simulated, sent, delivered, bounced, hard_bounced,
    complained, opened, clicked, machine_opened, machine_clicked, unsubscribed)
  WITH firsts AS MATERIALIZED (
    SELECT h.id FROM (
      SELECT tenant_id, message_id, type, (min(id::text))::uuid AS id FROM added
      WHERE type IN ('open', 'click') AND is_human(type, data) GROUP BY 1, 2, 3) h
    WHERE (SELECT true FROM events e
           WHERE e.message_id = h.message_id AND e.tenant_id = h.tenant_id AND e.type = h.type
             AND is_human(e.type, e.data) AND e.id NOT IN (SELECT id FROM added) LIMIT 1) IS NULL),
  known AS MATERIALIZED (
    SELECT a.*, lower(a.recipient) LIKE '%@simulator.test' AS simulated,
      -- `mx` stands in what one of our own attempts came to, never in a report.
      a.data ? 'mx' AND coalesce((SELECT m.attempts = 1 FROM messages m
        WHERE m.id = a.message_id AND m.tenant_id = a.tenant_id), false) AS is_first_attempt,
      CASE WHEN a.type = 'bounced' AND a.data ->> 'source' = 'dsn' THEN
        (SELECT e.occurred_at FROM events e WHERE e.message_id = a.message_id AND e.tenant_id = a.tenant_id
           AND e.type = 'delivered' LIMIT 1) END AS delivered_at
    FROM added a WHERE a.type NOT IN ('dropped', 'cancelled'))
  SELECT tenant_id, domain_id, (coalesce(delivered_at, occurred_at) AT TIME ZONE 'UTC')::date AS day, simulated,
    count(*) FILTER (WHERE is_first_attempt),
    count(*) FILTER (WHERE type = 'delivered') - count(delivered_at),
    count(*) FILTER (WHERE type = 'bounced'),
    count(*) FILTER (WHERE type = 'bounced' AND data ->> 'kind' = 'hard'),
    count(*) FILTER (WHERE type = 'complaint'),
    count(*) FILTER (WHERE type = 'open' AND id IN (SELECT id FROM firsts)),
    count(*) FILTER (WHERE type = 'click' AND id IN (SELECT id FROM firsts)),
    count(*) FILTER (WHERE type = 'open' AND NOT is_human(type, data)),
    count(*) FILTER (WHERE type = 'click' AND NOT is_human(type, data)),
    count(*) FILTER (WHERE type = 'unsubscribe')
  FROM known GROUP BY tenant_id, domain_id, day, simulated ORDER BY domain_id, day, simulated
  ON CONFLICT (domain_id, day, simulated) DO UPDATE SET
    sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered,
    bounced = d.bounced + excluded.bounced, hard_bounced = d.hard_bounced + excluded.hard_bounced,
    complained = d.complained + excluded.complained, opened = d.opened + excluded.opened,
    clicked = d.clicked + excluded.clicked, machine_opened = d.machine_opened + excluded.machine_opened,
    machine_clicked = d.machine_clicked + excluded.machine_clicked,
    unsubscribed = d.unsubscribed + excluded.unsubscribed;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_count AFTER INSERT ON events
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_events();
