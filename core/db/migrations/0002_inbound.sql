-- Inbound mail: what came after DATA byte for byte, who it was for, what was read out of it, and its way to the
-- customer's webhook.

-- One accepted DATA of one tenant. `work_due_at` says when it is to be parsed and routed; null once that is done.
CREATE TABLE inbound_raws (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL,
	mail_from text NOT NULL,
	helo text NOT NULL,
	peer text NOT NULL,
	tls text,
	smtputf8 boolean NOT NULL,
	size_bytes integer NOT NULL,
	received_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	work_due_at timestamp (3) with time zone,
	work_attempts smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
CREATE INDEX inbound_raws_work ON inbound_raws (work_due_at) WHERE work_due_at IS NOT NULL;
--> statement-breakpoint
-- The bytes, in order of seq. No foreign key: large mail is written here while it is still coming in.
CREATE TABLE inbound_chunks (
	raw_id uuid NOT NULL,
	seq integer NOT NULL,
	bytes bytea NOT NULL,
	PRIMARY KEY (raw_id, seq)
);
--> statement-breakpoint
ALTER TABLE inbound_chunks ALTER COLUMN bytes SET COMPRESSION lz4;
--> statement-breakpoint
-- Mail that is still coming in and has chunks already. The row goes with the commit that accepts the mail, or with
-- the chunks when the client left; a sweep finds those of a process that died.
CREATE TABLE inbound_uploads (
	raw_id uuid PRIMARY KEY,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE TABLE mailboxes (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL REFERENCES tenants (id),
	address text NOT NULL,
	name text,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE UNIQUE INDEX mailboxes_address ON mailboxes (tenant_id, address);
--> statement-breakpoint
-- One accepted recipient. `outcome` of a report says what became of it; of mail it stays null.
CREATE TABLE inbound_messages (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL,
	raw_id uuid NOT NULL REFERENCES inbound_raws (id) ON DELETE CASCADE,
	domain_id uuid NOT NULL,
	kind text NOT NULL,
	recipient text NOT NULL,
	mailbox_id uuid,
	about_message_id uuid,
	outcome text,
	read boolean NOT NULL DEFAULT false,
	received_at timestamp (3) with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX inbound_messages_raw ON inbound_messages (raw_id);
--> statement-breakpoint
CREATE INDEX inbound_messages_tenant ON inbound_messages (tenant_id, id) WHERE kind = 'mail';
--> statement-breakpoint
CREATE INDEX inbound_messages_mailbox ON inbound_messages (mailbox_id, id) WHERE mailbox_id IS NOT NULL;
--> statement-breakpoint
-- What the parser read out of one inbound_raws row. `parse_error` is set when it could not.
CREATE TABLE inbound_contents (
	raw_id uuid PRIMARY KEY REFERENCES inbound_raws (id) ON DELETE CASCADE,
	tenant_id uuid NOT NULL,
	header_from text,
	header_to text[] NOT NULL DEFAULT '{}',
	header_cc text[] NOT NULL DEFAULT '{}',
	subject text,
	date timestamp (3) with time zone,
	text text,
	html text,
	headers jsonb NOT NULL DEFAULT '[]',
	attachments jsonb NOT NULL DEFAULT '[]',
	auth jsonb NOT NULL,
	auto_submitted boolean NOT NULL DEFAULT false,
	parse_error text,
	search tsvector NOT NULL
);
--> statement-breakpoint
CREATE INDEX inbound_contents_search ON inbound_contents USING gin (search);
--> statement-breakpoint
-- Decoded attachments, in pieces, so that a download never holds one whole.
CREATE TABLE inbound_attachments (
	raw_id uuid NOT NULL REFERENCES inbound_raws (id) ON DELETE CASCADE,
	index integer NOT NULL,
	seq integer NOT NULL,
	bytes bytea NOT NULL,
	PRIMARY KEY (raw_id, index, seq)
);
--> statement-breakpoint
CREATE TABLE webhook_settings (
	tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
	webhook_url text,
	enabled boolean NOT NULL,
	sealed_secret bytea NOT NULL,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	rotated_at timestamp (3) with time zone
);
--> statement-breakpoint
-- One delivery per accepted recipient. `claimed_until` is set while a process makes an attempt; the attempt is
-- counted by the same statement, before the request. `round_started_at` is when attempt 1 became due: at the
-- acceptance, or at the last replay.
CREATE TABLE webhook_deliveries (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL,
	message_id uuid NOT NULL,
	raw_id uuid NOT NULL REFERENCES inbound_raws (id) ON DELETE CASCADE,
	recipient text NOT NULL,
	size_bytes integer NOT NULL,
	state text NOT NULL DEFAULT 'pending',
	attempts smallint NOT NULL DEFAULT 0,
	next_attempt_at timestamp (3) with time zone,
	claim_version integer NOT NULL DEFAULT 0,
	claimed_until timestamp (3) with time zone,
	webhook_url text,
	last_status_code smallint,
	last_error text,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	round_started_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	first_attempt_at timestamp (3) with time zone,
	dead_lettered_at timestamp (3) with time zone,
	accepted_at timestamp (3) with time zone
) WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, next_attempt_at)
	WHERE state = 'pending' AND claimed_until IS NULL;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (claimed_until) WHERE claimed_until IS NOT NULL;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (round_started_at) WHERE state = 'pending';
--> statement-breakpoint
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (tenant_id, dead_lettered_at, id) WHERE state = 'dead';
--> statement-breakpoint
CREATE INDEX webhook_deliveries_raw ON webhook_deliveries (raw_id);
--> statement-breakpoint
-- Every try, written before its request. `ended_at` stays null when the process died in between.
CREATE TABLE webhook_attempts (
	delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
	claim_version integer NOT NULL,
	tenant_id uuid NOT NULL,
	attempt smallint NOT NULL,
	webhook_url text NOT NULL,
	started_at timestamp (3) with time zone NOT NULL,
	ended_at timestamp (3) with time zone,
	status_code smallint,
	error text,
	PRIMARY KEY (delivery_id, claim_version)
);
