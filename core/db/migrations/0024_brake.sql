ALTER TABLE "domains" ADD COLUMN "brake_enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "brake_state" text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "brake_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "brake_reason" text;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "brake_numbers" jsonb;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "brake_start" jsonb;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "brake_trickle_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "refused" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "unknown" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "blocked" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "tx_sent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "tx_delivered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "tx_refused" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "tx_unknown" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "tx_blocked" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_days" ADD COLUMN "tx_complained" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "domains_brake" ON "domains" USING btree ("brake_since") WHERE brake_since is not null;--> statement-breakpoint
-- The function of 0007_deferred_days.sql, with the columns of the brake. A message is looked up once, for its attempts and its
-- stream; LIMIT 1 keeps that a look-up by id, not a join over all partitions. The classes are those of
-- core/mail/bounce/bounce-classes.ts; test/flow/brake.test.ts compares them.
CREATE OR REPLACE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM added WHERE type NOT IN ('dropped', 'cancelled')) THEN RETURN NULL; END IF;
  INSERT INTO domain_days AS d (tenant_id, domain_id, day, simulated, sent, delivered, bounced, hard_bounced,
    complained, opened, clicked, machine_opened, machine_clicked, unsubscribed, deferred, refused, unknown, blocked,
    tx_sent, tx_delivered, tx_refused, tx_unknown, tx_blocked, tx_complained)
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
      a.data ? 'mx' AND coalesce(m.attempts = 1, false) AS is_first_attempt,
      coalesce(m.stream = 'transactional', false) AS is_tx,
      coalesce(a.data ->> 'class', '') AS class,
      CASE WHEN a.type = 'bounced' AND a.data ->> 'source' = 'dsn' THEN
        (SELECT e.occurred_at FROM events e WHERE e.message_id = a.message_id AND e.tenant_id = a.tenant_id
           AND e.type = 'delivered' LIMIT 1) END AS delivered_at,
      CASE WHEN a.type = 'bounced' AND coalesce(m.attempts > 1 OR a.data ->> 'source' = 'dsn', false) THEN
        (SELECT t.at FROM message_attempts t WHERE t.message_id = a.message_id AND t.tenant_id = a.tenant_id
           AND t.attempt = 1 LIMIT 1) END AS first_tried_at
    FROM added a
    LEFT JOIN LATERAL (SELECT m.attempts, m.stream FROM messages m
      WHERE m.id = a.message_id AND m.tenant_id = a.tenant_id AND (a.data ? 'mx' OR a.type IN ('bounced', 'complaint'))
      LIMIT 1) m ON true
    WHERE a.type NOT IN ('dropped', 'cancelled')),
  dated AS (
    SELECT k.*, (coalesce(delivered_at, occurred_at) AT TIME ZONE 'UTC')::date AS day,
      type = 'bounced' AND (is_first_attempt OR (first_tried_at AT TIME ZONE 'UTC')::date
        = (coalesce(delivered_at, occurred_at) AT TIME ZONE 'UTC')::date) AS is_of_day
    FROM known k)
  SELECT tenant_id, domain_id, day, simulated,
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
    count(*) FILTER (WHERE type = 'deferred' AND data ->> 'reason' = 'warmup_cap'),
    count(*) FILTER (WHERE is_of_day AND class NOT IN ('reputation_block', 'auth_failed', 'sender_rejected', 'relay_denied', 'protocol')),
    count(*) FILTER (WHERE is_of_day AND class IN ('invalid_recipient', 'inactive_mailbox', 'invalid_domain', 'null_mx')),
    count(*) FILTER (WHERE is_of_day AND class IN ('reputation_block', 'spam_block', 'policy')),
    count(*) FILTER (WHERE is_tx AND is_first_attempt),
    count(*) FILTER (WHERE is_tx AND type = 'delivered') - count(delivered_at) FILTER (WHERE is_tx),
    count(*) FILTER (WHERE is_tx AND is_of_day AND class NOT IN ('reputation_block', 'auth_failed', 'sender_rejected', 'relay_denied', 'protocol')),
    count(*) FILTER (WHERE is_tx AND is_of_day AND class IN ('invalid_recipient', 'inactive_mailbox', 'invalid_domain', 'null_mx')),
    count(*) FILTER (WHERE is_tx AND is_of_day AND class IN ('reputation_block', 'spam_block', 'policy')),
    count(*) FILTER (WHERE is_tx AND type = 'complaint')
  FROM dated GROUP BY tenant_id, domain_id, day, simulated ORDER BY domain_id, day, simulated
  ON CONFLICT (domain_id, day, simulated) DO UPDATE SET
    sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered,
    bounced = d.bounced + excluded.bounced, hard_bounced = d.hard_bounced + excluded.hard_bounced,
    complained = d.complained + excluded.complained, opened = d.opened + excluded.opened,
    clicked = d.clicked + excluded.clicked, machine_opened = d.machine_opened + excluded.machine_opened,
    machine_clicked = d.machine_clicked + excluded.machine_clicked,
    unsubscribed = d.unsubscribed + excluded.unsubscribed, deferred = d.deferred + excluded.deferred,
    refused = d.refused + excluded.refused, unknown = d.unknown + excluded.unknown, blocked = d.blocked + excluded.blocked,
    tx_sent = d.tx_sent + excluded.tx_sent, tx_delivered = d.tx_delivered + excluded.tx_delivered,
    tx_refused = d.tx_refused + excluded.tx_refused, tx_unknown = d.tx_unknown + excluded.tx_unknown,
    tx_blocked = d.tx_blocked + excluded.tx_blocked, tx_complained = d.tx_complained + excluded.tx_complained;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The function of 0018_announcements.sql, with the brake.
CREATE OR REPLACE FUNCTION announce_domain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said jsonb := jsonb_build_object('domain_id', new.id, 'domain', new.name);
BEGIN
  IF new.status <> old.status AND new.status IN ('verified', 'failed') THEN
    PERFORM announce(new.tenant_id, 'domain.' || new.status, said);
  END IF;
  IF new.tier <> old.tier THEN
    PERFORM announce(new.tenant_id, 'domain.tier_changed',
      said || jsonb_build_object('from_tier', old.tier, 'to_tier', new.tier));
  END IF;
  IF new.warmup_state = 'paused' AND old.warmup_state <> 'paused' THEN
    PERFORM announce(new.tenant_id, 'domain.paused', said || jsonb_build_object('reason', new.paused_reason));
  ELSIF old.warmup_state = 'paused' AND new.warmup_state <> 'paused' THEN
    PERFORM announce(new.tenant_id, 'domain.resumed', said || jsonb_build_object('tier', new.tier));
  END IF;
  IF new.brake_since IS DISTINCT FROM old.brake_since THEN
    IF new.brake_state = 'off' THEN
      PERFORM announce(new.tenant_id, 'domain.brake_released', said);
    ELSE
      PERFORM announce(new.tenant_id, 'domain.braked', said || jsonb_build_object('state', new.brake_state,
        'reason', new.brake_reason, 'numbers', new.brake_numbers));
    END IF;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER domains_announce AFTER UPDATE ON domains FOR EACH ROW
	WHEN (old.status <> new.status OR old.tier <> new.tier OR old.warmup_state <> new.warmup_state
		OR old.brake_since IS DISTINCT FROM new.brake_since)
	EXECUTE FUNCTION announce_domain();
