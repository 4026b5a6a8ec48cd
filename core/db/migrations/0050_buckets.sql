CREATE TABLE "buckets" (
	"name" text PRIMARY KEY NOT NULL,
	"is_open" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "domain_claims" (
	"name" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"held" boolean NOT NULL
);
--> statement-breakpoint
-- What there is already is in the first bucket.
INSERT INTO "buckets" ("name") VALUES ('public');
--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "bucket" text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_bucket_buckets_name_fk" FOREIGN KEY ("bucket") REFERENCES "public"."buckets"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The job that looks domains up does so for those that a service of the version before verifies meanwhile.
INSERT INTO "domain_claims" ("name", "tenant_id", "domain_id", "held")
SELECT DISTINCT ON ("name") "name", "tenant_id", "id", "status" = 'verified' FROM "domains"
WHERE "status" = 'verified' OR "verified_at" IS NOT NULL
ORDER BY "name", "status" = 'verified' DESC, "verified_at" DESC;
--> statement-breakpoint
-- for both: that another bucket has the week says nothing about this one. A partition is where its table is.
CREATE OR REPLACE FUNCTION ensure_partition(parent text, at timestamptz) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  week timestamptz := date_trunc('week', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  name text := parent || '_' || to_char(week AT TIME ZONE 'UTC', 'IYYY"w"IW');
  own_schema regnamespace := (SELECT relnamespace FROM pg_class WHERE oid = parent::regclass);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('postrider:partitions'));
  IF to_regclass(format('%s.%I', own_schema, name)) IS NOT NULL THEN
    RETURN 0;
  END IF;
  EXECUTE format('CREATE TABLE %s.%I PARTITION OF %s.%I FOR VALUES FROM (%L) TO (%L)',
    own_schema, name, own_schema, parent, uuid_floor(week), uuid_floor(week + interval '7 days'));
  -- Every message row is updated once or twice: room on the page keeps its new version near.
  IF parent = 'messages' THEN
    EXECUTE format('ALTER TABLE %s.%I SET (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.05)', own_schema, name);
  END IF;
  IF parent = 'message_contents' THEN
    EXECUTE format('ALTER TABLE %s.%I ALTER COLUMN content SET COMPRESSION lz4', own_schema, name);
  END IF;
  RETURN 1;
END $$;
