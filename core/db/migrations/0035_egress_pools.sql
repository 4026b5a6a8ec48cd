CREATE TABLE "source_days" (
	"address" text NOT NULL,
	"day" date NOT NULL,
	"cap" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"decision" text,
	CONSTRAINT "source_days_address_day_pk" PRIMARY KEY("address","day")
);
--> statement-breakpoint
CREATE TABLE "source_rests" (
	"address" text NOT NULL,
	"provider" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"reply" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "source_rests_address_provider_pk" PRIMARY KEY("address","provider")
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"address" text PRIMARY KEY NOT NULL,
	"tier" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "pool" text;--> statement-breakpoint
ALTER TABLE "message_attempts" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "message_attempts" ADD COLUMN "source_name" text;