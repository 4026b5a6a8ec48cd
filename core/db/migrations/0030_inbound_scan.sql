ALTER TABLE "domains" ADD COLUMN "spam_policy" text DEFAULT 'keep' NOT NULL;--> statement-breakpoint
ALTER TABLE "inbound_messages" ADD COLUMN "junk" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "inbound_raws" ADD COLUMN "scan" jsonb;--> statement-breakpoint
CREATE OR REPLACE FUNCTION announce_inbound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce(m.tenant_id, 'inbound.received', jsonb_build_object('message_id', m.id, 'domain_id', m.domain_id,
    'recipient', m.recipient, 'envelope_from', r.mail_from, 'from', new.header_from, 'subject', new.subject,
    'size_bytes', r.size_bytes, 'junk', m.junk, 'scan', r.scan))
  FROM inbound_messages m JOIN inbound_raws r ON r.id = m.raw_id
  WHERE m.raw_id = new.raw_id AND m.tenant_id = new.tenant_id AND m.kind = 'mail';
  RETURN NULL;
END $$;
