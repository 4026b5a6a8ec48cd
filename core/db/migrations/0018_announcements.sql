-- What happens to domains, campaigns and contacts, and mail that was accepted or came in, is announced by the statement
-- that makes it so, whoever runs it: a row of event_outbox, only where an endpoint of the tenant wants that type.
-- core/webhook/fan-out.ts reads the payloads.

-- A UUIDv7 (RFC 9562 section 5.7) of this moment.
CREATE FUNCTION uuid_now() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(substring(uuid_send(uuid_floor(clock_timestamp())) FROM 1 FOR 6)
    || set_byte(substring(uuid_send(gen_random_uuid()) FROM 7),
         0, (get_byte(uuid_send(gen_random_uuid()), 0) & 15) | 112), 'hex')::uuid
$$;
--> statement-breakpoint
-- Announces one happening.
CREATE FUNCTION announce(tenant uuid, happening text, said jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO event_outbox (id, tenant_id, type, payload)
  SELECT uuid_now(), tenant, happening, said || jsonb_build_object('at', now())
  WHERE EXISTS (
    SELECT FROM webhook_endpoints e
    WHERE e.tenant_id = tenant AND e.kind = 'events' AND e.enabled AND e.event_types && ARRAY[happening, '*'])
$$;
--> statement-breakpoint
CREATE FUNCTION announce_domain() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER domains_announce AFTER UPDATE ON domains FOR EACH ROW
	WHEN (old.status <> new.status OR old.tier <> new.tier OR old.warmup_state <> new.warmup_state)
	EXECUTE FUNCTION announce_domain();
--> statement-breakpoint
CREATE FUNCTION announce_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce(new.tenant_id, 'campaign.sent', jsonb_build_object('campaign_id', new.id, 'name', new.name));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER campaigns_announce AFTER UPDATE ON campaigns FOR EACH ROW
	WHEN (old.state <> 'sent' AND new.state = 'sent') EXECUTE FUNCTION announce_campaign();
--> statement-breakpoint
CREATE FUNCTION announce_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce(new.tenant_id, 'contact.unsubscribed', jsonb_build_object('contact_id', new.id, 'email', new.email));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER contacts_announce AFTER UPDATE ON contacts FOR EACH ROW
	WHEN (old.status <> 'unsubscribed' AND new.status = 'unsubscribed') EXECUTE FUNCTION announce_contact();
--> statement-breakpoint
-- Mail is announced once it is read, one row for each recipient.
CREATE FUNCTION announce_inbound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce(m.tenant_id, 'inbound.received', jsonb_build_object('message_id', m.id, 'domain_id', m.domain_id,
    'recipient', m.recipient, 'envelope_from', r.mail_from, 'from', new.header_from, 'subject', new.subject,
    'size_bytes', r.size_bytes))
  FROM inbound_messages m JOIN inbound_raws r ON r.id = m.raw_id
  WHERE m.raw_id = new.raw_id AND m.tenant_id = new.tenant_id AND m.kind = 'mail';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER inbound_contents_announce AFTER INSERT ON inbound_contents FOR EACH ROW
	EXECUTE FUNCTION announce_inbound();
--> statement-breakpoint
-- The hot path: one look at the endpoints for a whole batch of messages, and nothing else while nobody wants it.
CREATE FUNCTION announce_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM webhook_endpoints e WHERE e.kind = 'events') THEN
    INSERT INTO event_outbox (id, tenant_id, type, payload)
    SELECT uuid_now(), m.tenant_id, 'message.accepted', jsonb_build_object('at', now(), 'message_id', m.id,
      'domain_id', m.domain_id, 'campaign_id', m.campaign_id, 'recipient', m.rcpt_to, 'from', m.header_from,
      'subject', m.subject, 'tags', m.tags)
    FROM added m
    WHERE m.state <> 'dropped' AND m.tenant_id IN (
      SELECT e.tenant_id FROM webhook_endpoints e
      WHERE e.kind = 'events' AND e.enabled AND e.event_types && ARRAY['message.accepted', '*']);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_announce AFTER INSERT ON messages
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_messages();
