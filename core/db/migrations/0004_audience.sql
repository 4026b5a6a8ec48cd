-- The audience: contacts, their lists, imports, and the campaigns that go to them.

-- One person of a tenant. `email` is as it was written, `email_key` its normalized form (core/mail/address.ts).
CREATE TABLE contacts (
	id uuid NOT NULL,
	tenant_id uuid NOT NULL REFERENCES tenants (id),
	email text NOT NULL,
	email_key text NOT NULL,
	first_name text,
	last_name text,
	attributes jsonb NOT NULL DEFAULT '{}',
	tags text[] NOT NULL DEFAULT '{}',
	status text NOT NULL DEFAULT 'subscribed',
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	updated_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	PRIMARY KEY (tenant_id, id)
) WITH (fillfactor = 90);
--> statement-breakpoint
CREATE UNIQUE INDEX contacts_email ON contacts (tenant_id, email_key);
--> statement-breakpoint
CREATE TABLE contact_lists (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL REFERENCES tenants (id),
	name text NOT NULL,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX contact_lists_tenant ON contact_lists (tenant_id, id);
--> statement-breakpoint
-- No foreign keys: an import adds tens of thousands of rows a second. Whoever adds holds the list's row, whoever
-- deletes a contact or a list deletes its rows here in the same transaction.
CREATE TABLE contact_list_members (
	tenant_id uuid NOT NULL,
	list_id uuid NOT NULL,
	contact_id uuid NOT NULL,
	PRIMARY KEY (list_id, contact_id)
);
--> statement-breakpoint
CREATE INDEX contact_list_members_contact ON contact_list_members (tenant_id, contact_id);
--> statement-breakpoint
-- Whoever unsubscribes or complains is an unsubscribed contact from the same commit on, whichever way it came in.
CREATE FUNCTION unsubscribe_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contacts SET status = 'unsubscribed', updated_at = now()
  WHERE tenant_id = NEW.tenant_id AND email_key = NEW.email AND status <> 'unsubscribed';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER suppressions_unsubscribe AFTER INSERT OR UPDATE OF reason ON suppressions
	FOR EACH ROW WHEN (NEW.reason IN ('unsubscribe', 'complaint')) EXECUTE FUNCTION unsubscribe_contact();
--> statement-breakpoint
-- One upload of contacts. `cursor_bytes` and `next_row` say where the work goes on; they move in the transaction
-- that writes the contacts, so a crash repeats and skips nothing. `effect_id` makes a retried request find its import.
CREATE TABLE contact_imports (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL REFERENCES tenants (id),
	effect_id uuid UNIQUE,
	status text NOT NULL DEFAULT 'uploading',
	format text NOT NULL,
	list_id uuid,
	update_existing boolean NOT NULL DEFAULT false,
	layout jsonb,
	size_bytes bigint NOT NULL DEFAULT 0,
	cursor_bytes bigint NOT NULL DEFAULT 0,
	next_row integer NOT NULL DEFAULT 1,
	total integer NOT NULL DEFAULT 0,
	created integer NOT NULL DEFAULT 0,
	updated integer NOT NULL DEFAULT 0,
	skipped integer NOT NULL DEFAULT 0,
	failed integer NOT NULL DEFAULT 0,
	errors jsonb NOT NULL DEFAULT '[]',
	claim_version integer NOT NULL DEFAULT 0,
	claimed_until timestamp (3) with time zone,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	touched_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	finished_at timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX contact_imports_work ON contact_imports (touched_at) WHERE finished_at IS NULL;
--> statement-breakpoint
CREATE INDEX contact_imports_tenant ON contact_imports (tenant_id, id);
--> statement-breakpoint
-- The bytes of an upload, in order. They go when the import has ended.
CREATE TABLE contact_import_chunks (
	import_id uuid NOT NULL,
	seq integer NOT NULL,
	tenant_id uuid NOT NULL,
	first_byte bigint NOT NULL,
	bytes bytea NOT NULL,
	PRIMARY KEY (import_id, seq)
);
--> statement-breakpoint
ALTER TABLE contact_import_chunks ALTER COLUMN bytes SET COMPRESSION lz4;
--> statement-breakpoint
-- `task` is what a scheduler has to do for the campaign now, `due_at` when; `claim_version` fences schedulers.
-- Recipients up to `marked_to` have rows; those up to `confirmed_to` were answered by a sender.
CREATE TABLE campaigns (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL REFERENCES tenants (id),
	name text NOT NULL,
	header_from text NOT NULL,
	reply_to text,
	subject text,
	template_id uuid,
	html text,
	text text,
	audience jsonb NOT NULL,
	track_opens boolean,
	track_clicks boolean,
	state text NOT NULL DEFAULT 'draft',
	pause_reason text,
	pause_message text,
	scheduled_at timestamp (3) with time zone,
	launched_at timestamp (3) with time zone,
	completed_at timestamp (3) with time zone,
	content_template_id uuid,
	marked_to uuid,
	confirmed_to uuid,
	final_stats jsonb,
	task text,
	due_at timestamp (3) with time zone,
	claimed_until timestamp (3) with time zone,
	claim_version integer NOT NULL DEFAULT 0,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	updated_at timestamp (3) with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE INDEX campaigns_tenant ON campaigns (tenant_id, id);
--> statement-breakpoint
CREATE INDEX campaigns_task ON campaigns (due_at) WHERE task IS NOT NULL;
--> statement-breakpoint
CREATE INDEX campaigns_scheduled ON campaigns (scheduled_at) WHERE state = 'scheduled';
--> statement-breakpoint
-- One row per campaign and contact: what makes a message happen once. `error` says why a sender refused it.
CREATE TABLE campaign_recipients (
	campaign_id uuid NOT NULL,
	contact_id uuid NOT NULL,
	tenant_id uuid NOT NULL,
	message_id uuid NOT NULL,
	error text,
	retry boolean NOT NULL DEFAULT false,
	PRIMARY KEY (campaign_id, contact_id)
);
--> statement-breakpoint
CREATE INDEX campaign_recipients_failed ON campaign_recipients (campaign_id, contact_id) WHERE error IS NOT NULL;
--> statement-breakpoint
-- A campaign's own words are kept as a template that no list shows: it counts as deleted, but names its campaign.
ALTER TABLE templates ADD COLUMN campaign_id uuid;
--> statement-breakpoint
CREATE INDEX messages_campaign ON messages (campaign_id) WHERE campaign_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX messages_campaign_open ON messages (campaign_id)
	WHERE campaign_id IS NOT NULL AND state IN ('queued', 'sending', 'deferred');
--> statement-breakpoint
CREATE INDEX events_campaign ON events (campaign_id, type) WHERE campaign_id IS NOT NULL;
