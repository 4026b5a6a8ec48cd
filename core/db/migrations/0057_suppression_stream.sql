ALTER TABLE "suppressions" ADD COLUMN "stream" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "suppressions" ADD COLUMN "unsubscribed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- for buckets: a service of the release before writes neither column. Its unsubscribes become what they are from now on.
CREATE FUNCTION note_unsubscribe() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.unsubscribed := true;
  IF TG_OP = 'INSERT' THEN NEW.stream := 'bulk'; END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER suppressions_note_unsubscribe BEFORE INSERT OR UPDATE OF reason ON suppressions
	FOR EACH ROW WHEN (NEW.reason = 'unsubscribe' AND NOT NEW.unsubscribed) EXECUTE FUNCTION note_unsubscribe();
--> statement-breakpoint
CREATE INDEX suppressions_unfilled ON suppressions (tenant_id, email) WHERE reason = 'unsubscribe' AND NOT unsubscribed;
--> statement-breakpoint
-- repeated
UPDATE suppressions s SET stream = 'bulk', unsubscribed = true FROM (
  SELECT tenant_id, email FROM suppressions
  WHERE reason = 'unsubscribe' AND NOT unsubscribed ORDER BY tenant_id, email LIMIT 2000) u
WHERE s.tenant_id = u.tenant_id AND s.email = u.email;
--> statement-breakpoint
-- for buckets
DROP INDEX suppressions_unfilled;
--> statement-breakpoint
-- In place of suppressions_unsubscribe (0004_audience.sql): an unsubscribe may stand behind another reason.
CREATE TRIGGER suppressions_unsubscribed AFTER INSERT OR UPDATE OF reason, unsubscribed ON suppressions
	FOR EACH ROW WHEN (NEW.reason IN ('unsubscribe', 'complaint') OR NEW.unsubscribed) EXECUTE FUNCTION unsubscribe_contact();
--> statement-breakpoint
DROP TRIGGER suppressions_unsubscribe ON suppressions;
