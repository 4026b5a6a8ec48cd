-- One table of endpoints for inbound mail and for events. webhook_settings become its rows of kind 'inbound', and each
-- delivery names its endpoint.
CREATE TABLE webhook_endpoints (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL REFERENCES tenants (id),
	kind text NOT NULL,
	url text,
	enabled boolean NOT NULL,
	sealed_secret bytea NOT NULL,
	previous_sealed_secret bytea,
	previous_until timestamp (3) with time zone,
	event_types text[] NOT NULL DEFAULT '{}',
	domain_ids uuid[],
	description text,
	format text NOT NULL DEFAULT 'standard',
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	rotated_at timestamp (3) with time zone,
	failing_since timestamp (3) with time zone,
	disabled_reason text,
	owners_told_at timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE webhook_endpoints RENAME CONSTRAINT webhook_endpoints_tenant_id_fkey TO webhook_endpoints_tenant_id_tenants_id_fk;
--> statement-breakpoint
CREATE UNIQUE INDEX webhook_endpoints_inbound ON webhook_endpoints (tenant_id) WHERE kind = 'inbound';
--> statement-breakpoint
CREATE INDEX webhook_endpoints_tenant ON webhook_endpoints (tenant_id, id);
--> statement-breakpoint
CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (failing_since) WHERE failing_since IS NOT NULL;
--> statement-breakpoint
-- In one transaction: what is changed meanwhile would be lost.
LOCK TABLE webhook_settings IN ACCESS EXCLUSIVE MODE;
INSERT INTO webhook_endpoints (id, tenant_id, kind, url, enabled, sealed_secret, created_at, rotated_at)
SELECT gen_random_uuid(), tenant_id, 'inbound', webhook_url, enabled, sealed_secret, created_at, rotated_at
FROM webhook_settings;
DROP TABLE webhook_settings;
--> statement-breakpoint
ALTER TABLE webhook_deliveries
	ADD COLUMN endpoint_id uuid,
	ADD COLUMN event_id uuid,
	ADD COLUMN event_type text,
	ADD COLUMN body text,
	ALTER COLUMN message_id DROP NOT NULL,
	ALTER COLUMN raw_id DROP NOT NULL,
	ALTER COLUMN recipient DROP NOT NULL,
	ALTER COLUMN size_bytes DROP NOT NULL;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_unfilled ON webhook_deliveries (id) WHERE endpoint_id IS NULL;
--> statement-breakpoint
-- repeated
UPDATE webhook_deliveries d SET endpoint_id = u.endpoint_id FROM (
  SELECT x.id, e.id AS endpoint_id FROM webhook_deliveries x JOIN webhook_endpoints e ON e.tenant_id = x.tenant_id
  WHERE x.endpoint_id IS NULL ORDER BY x.id LIMIT 2000) u
WHERE d.id = u.id;
--> statement-breakpoint
-- A delivery was only ever made where there were settings, and those were never deleted. SET NOT NULL reads the whole table
-- under its lock, unless a constraint says it already.
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_filled CHECK (endpoint_id IS NOT NULL) NOT VALID;
--> statement-breakpoint
-- repeated
UPDATE webhook_deliveries d SET endpoint_id = u.endpoint_id FROM (
  SELECT x.id, e.id AS endpoint_id FROM webhook_deliveries x JOIN webhook_endpoints e ON e.tenant_id = x.tenant_id
  WHERE x.endpoint_id IS NULL ORDER BY x.id LIMIT 2000) u
WHERE d.id = u.id;
--> statement-breakpoint
ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_filled;
--> statement-breakpoint
ALTER TABLE webhook_deliveries ALTER COLUMN endpoint_id SET NOT NULL, ALTER COLUMN body SET COMPRESSION lz4;
--> statement-breakpoint
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_filled;
--> statement-breakpoint
DROP INDEX webhook_deliveries_unfilled;
--> statement-breakpoint
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_one_kind CHECK (case when event_id is null
        then num_nulls(message_id, raw_id, recipient, size_bytes) = 0 and num_nonnulls(event_type, body) = 0
        else num_nonnulls(message_id, raw_id, recipient, size_bytes) = 0 and num_nulls(event_type, body) = 0 end) NOT VALID;
--> statement-breakpoint
ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_one_kind;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_due_new ON webhook_deliveries (endpoint_id, next_attempt_at)
	WHERE state = 'pending' AND claimed_until IS NULL;
--> statement-breakpoint
ALTER INDEX webhook_deliveries_due RENAME TO webhook_deliveries_due_old;
--> statement-breakpoint
ALTER INDEX webhook_deliveries_due_new RENAME TO webhook_deliveries_due;
--> statement-breakpoint
DROP INDEX webhook_deliveries_due_old;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_dead_new ON webhook_deliveries (tenant_id, dead_lettered_at, id)
	WHERE state = 'dead' AND raw_id IS NOT NULL;
--> statement-breakpoint
ALTER INDEX webhook_deliveries_dead RENAME TO webhook_deliveries_dead_old;
--> statement-breakpoint
ALTER INDEX webhook_deliveries_dead_new RENAME TO webhook_deliveries_dead;
--> statement-breakpoint
DROP INDEX webhook_deliveries_dead_old;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_raw_new ON webhook_deliveries (raw_id) WHERE raw_id IS NOT NULL;
--> statement-breakpoint
ALTER INDEX webhook_deliveries_raw RENAME TO webhook_deliveries_raw_old;
--> statement-breakpoint
ALTER INDEX webhook_deliveries_raw_new RENAME TO webhook_deliveries_raw;
--> statement-breakpoint
DROP INDEX webhook_deliveries_raw_old;
--> statement-breakpoint
CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (endpoint_id, event_id) WHERE event_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (endpoint_id, created_at, id) WHERE event_id IS NOT NULL;
--> statement-breakpoint
ALTER TABLE webhook_attempts ADD COLUMN duration_ms integer, ADD COLUMN response_body text;
--> statement-breakpoint
CREATE TABLE webhook_replays (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL,
	endpoint_id uuid NOT NULL,
	until timestamp (3) with time zone NOT NULL,
	status text,
	cursor_at timestamp (3) with time zone NOT NULL,
	cursor_id uuid NOT NULL,
	CONSTRAINT webhook_replays_endpoint_id_webhook_endpoints_id_fk FOREIGN KEY (endpoint_id)
		REFERENCES webhook_endpoints (id) ON DELETE CASCADE
);
