CREATE TABLE "mta_sts_policies" (
	"domain" text PRIMARY KEY NOT NULL,
	"policy_id" text NOT NULL,
	"mode" text NOT NULL,
	"mx" text[] NOT NULL,
	"max_age_seconds" integer NOT NULL,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
