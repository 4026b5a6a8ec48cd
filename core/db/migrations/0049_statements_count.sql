ALTER TABLE "sign_in_failures" ADD COLUMN "id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL;
--> statement-breakpoint
-- What the triggers of statements did is done by the statements themselves (core/message/event-effects.ts), which say so. A
-- service of the release before does not, and for it the triggers work on.
CREATE OR REPLACE TRIGGER events_count AFTER INSERT ON events
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT
	WHEN (current_setting('postrider.counted', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION count_events();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER events_outbox AFTER INSERT ON events
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT
	WHEN (current_setting('postrider.counted', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION outbox_events();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER messages_announce AFTER INSERT ON messages
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT
	WHEN (current_setting('postrider.counted', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION announce_messages();
--> statement-breakpoint
-- On a Citus cluster a trigger of a row runs on the node that has the row, where the search path is not ours. (SET … FROM
-- CURRENT, which says the same, is refused there.)
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['unsubscribe_contact', 'announce_domain', 'announce_campaign', 'announce_contact',
    'announce_inbound', 'announce_alert'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = %I', name, current_schema());
  END LOOP;
END $$;
--> statement-breakpoint
-- PL/pgSQL, because Citus plans no statement with parameters in a function of SQL.
CREATE OR REPLACE FUNCTION announce(tenant uuid, happening text, said jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_id uuid := uuid_now();
BEGIN
  IF EXISTS (
    SELECT 1 FROM webhook_endpoints e
    WHERE e.tenant_id = tenant AND e.kind = 'events' AND e.enabled AND e.event_types && ARRAY[happening, '*']) THEN
    INSERT INTO event_outbox (id, tenant_id, type, payload)
    VALUES (event_id, tenant, happening, said || jsonb_build_object('at', now()));
  END IF;
END $$;
--> statement-breakpoint
-- Texts of JSON that depend on no setting, which is what Citus asks of what a row is written with.
CREATE FUNCTION day_text(day date) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_char(day, 'YYYY-MM-DD')
$$;
--> statement-breakpoint
CREATE FUNCTION time_text(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (to_jsonb((at AT TIME ZONE 'UTC')::timestamp(3)) #>> '{}') || '+00:00'
$$;
--> statement-breakpoint
-- The function of 0036_explain.sql, with a text of its time that depends on no setting.
CREATE OR REPLACE FUNCTION note_decision(history jsonb, rule text, at timestamptz, attempts integer, inputs jsonb)
RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN history IS NULL THEN jsonb_build_array(made)
    WHEN history->-1->>'rule' = rule AND (history->-1->>'attempts')::int = attempts THEN
      (history - -1) || jsonb_build_array(made || jsonb_build_object(
        'since', coalesce(history->-1->'since', history->-1->'at'),
        'times', coalesce((history->-1->>'times')::int, 1) + 1)
        || CASE WHEN history->-1 ? 'left_out' THEN jsonb_build_object('left_out', history->-1->'left_out') ELSE '{}' END)
    WHEN jsonb_array_length(history) >= 30 THEN
      jsonb_set(history - 1, '{0,left_out}', to_jsonb(coalesce((history->0->>'left_out')::int, 0) + 1))
        || jsonb_build_array(made)
    ELSE history || jsonb_build_array(made)
  END
  FROM (SELECT jsonb_build_object('rule', rule, 'at',
      (to_jsonb((at AT TIME ZONE 'UTC')::timestamp(3)) #>> '{}') || '+00:00', 'attempts', attempts, 'inputs', inputs) AS made) m
$$;
