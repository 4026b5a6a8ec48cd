-- The warm-up through its days: what the ramp saw and decided, planned schedules, counts by route, and the notices
-- to operations.

-- What a domain's mail of one UTC day came to and what the ramp made of it. Written once per (domain, day), in the
-- transaction that moves the tier: the row is what makes a second run do nothing.
CREATE TABLE warmup_rates (
	tenant_id uuid NOT NULL,
	domain_id uuid NOT NULL,
	day date NOT NULL,
	attempted integer NOT NULL,
	delivered integer NOT NULL,
	bounced integer NOT NULL,
	delivered_on_day integer NOT NULL,
	complained integer NOT NULL,
	decision text NOT NULL,
	decided_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	PRIMARY KEY (domain_id, day)
);
--> statement-breakpoint
-- Messages to the operations chat. Written with the change that they tell of; `event` makes one notice per change.
CREATE TABLE operations_notices (
	id uuid PRIMARY KEY,
	event text NOT NULL UNIQUE,
	text text NOT NULL,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	attempts integer NOT NULL DEFAULT 0,
	next_attempt_at timestamp (3) with time zone DEFAULT now(),
	last_error text,
	sent_at timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX operations_notices_due ON operations_notices (next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
--> statement-breakpoint
-- The plan of a tenant's first 30 days; a new one replaces the old.
CREATE TABLE warmup_schedules (
	tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
	start_date date NOT NULL,
	total_target_recipients bigint NOT NULL,
	ramp_strategy text NOT NULL,
	created_by text NOT NULL,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE TABLE warmup_schedule_days (
	tenant_id uuid NOT NULL REFERENCES warmup_schedules (tenant_id) ON DELETE CASCADE,
	day smallint NOT NULL,
	date date NOT NULL,
	tier smallint NOT NULL,
	planned_sends integer NOT NULL,
	mail_kind text NOT NULL,
	PRIMARY KEY (tenant_id, day)
);
--> statement-breakpoint
-- Slots taken per route (ESP) of a tenant on a UTC day. `accepted`, `sub_cap` are filled in by the reconcile job.
CREATE TABLE esp_days (
	tenant_id uuid NOT NULL,
	day date NOT NULL,
	esp text NOT NULL,
	used integer NOT NULL DEFAULT 0,
	sub_cap integer,
	accepted integer,
	reconciled_at timestamp (3) with time zone,
	PRIMARY KEY (tenant_id, day, esp)
) WITH (fillfactor = 70);
--> statement-breakpoint
-- Attempts are appended in the order of time: a BRIN index finds those of a day at next to no cost per insert.
CREATE INDEX message_attempts_at ON message_attempts USING brin (at) WITH (pages_per_range = 16, autosummarize = on);
--> statement-breakpoint
-- Bounces and complaints are few among the events: the ramp looks for those of a day.
CREATE INDEX events_trouble ON events (id) WHERE type IN ('bounced', 'complaint');
