ALTER TABLE "message_attempts" ADD COLUMN "retry_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "day_tier" smallint;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "day_cap" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "day_used" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "day_reserved" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "decisions" jsonb;--> statement-breakpoint
-- The decisions of a message with one more: the first and the last 29 are kept, `left_out` of the first counts the others. The same
-- rule again, without an attempt in between, replaces the last one, which then says how often (`times`) and since when.
CREATE FUNCTION note_decision(history jsonb, rule text, at timestamptz, attempts integer, inputs jsonb)
RETURNS jsonb LANGUAGE sql STABLE AS $$
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
  FROM (SELECT jsonb_build_object('rule', rule, 'at', at::timestamptz(3), 'attempts', attempts, 'inputs', inputs) AS made) m
$$;
