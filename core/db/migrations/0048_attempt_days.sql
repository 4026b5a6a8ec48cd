CREATE TABLE "attempt_counting" (
	"first_day" date PRIMARY KEY NOT NULL,
	"recounts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempt_days" (
	"day" date NOT NULL,
	"tenant_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"esp" text NOT NULL,
	"attempted" integer DEFAULT 0 NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"bounced" integer DEFAULT 0 NOT NULL,
	"accepted" integer DEFAULT 0 NOT NULL,
	"complained" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "attempt_days_day_tenant_id_domain_id_esp_pk" PRIMARY KEY("day","tenant_id","domain_id","esp")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "returned" boolean;--> statement-breakpoint
-- Senders of the version before go on without counting until they are replaced, within a day: the first whole day is the one after
-- tomorrow. Days before it are counted from the rows when a job needs them (core/warmup/counted-days.ts).
INSERT INTO "attempt_counting" ("first_day")
SELECT CASE WHEN EXISTS (SELECT FROM messages) THEN (now() AT TIME ZONE 'UTC')::date + 2 ELSE date '2000-01-01' END;
