-- `deferred`: messages that the cap put off on this day, so that a picture of the warm-up shows demand beside the cap.
-- Their first day comes with the event; a day on which they are put off again is added by the release.
ALTER TABLE domain_days ADD COLUMN deferred integer NOT NULL DEFAULT 0;
--> statement-breakpoint
-- The function of 0005_engagement.sql, with that column.
CREATE OR REPLACE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM added WHERE type NOT IN ('dropped', 'cancelled')) THEN RETURN NULL; END IF;
  INSERT INTO domain_days AS d (tenant_id, domain_id, day, simulated, sent, delivered, bounced, hard_bounced,
    complained, opened, clicked, machine_opened, machine_clicked, unsubscribed, deferred)
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
    count(*) FILTER (WHERE type = 'unsubscribe'),
    count(*) FILTER (WHERE type = 'deferred' AND data ->> 'reason' = 'warmup_cap')
  FROM known GROUP BY tenant_id, domain_id, day, simulated ORDER BY domain_id, day, simulated
  ON CONFLICT (domain_id, day, simulated) DO UPDATE SET
    sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered,
    bounced = d.bounced + excluded.bounced, hard_bounced = d.hard_bounced + excluded.hard_bounced,
    complained = d.complained + excluded.complained, opened = d.opened + excluded.opened,
    clicked = d.clicked + excluded.clicked, machine_opened = d.machine_opened + excluded.machine_opened,
    machine_clicked = d.machine_clicked + excluded.machine_clicked,
    unsubscribed = d.unsubscribed + excluded.unsubscribed, deferred = d.deferred + excluded.deferred;
  RETURN NULL;
END $$;
