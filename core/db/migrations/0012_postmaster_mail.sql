CREATE TABLE "postmaster_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"mail_from" text NOT NULL,
	"peer" text NOT NULL,
	"network" text NOT NULL,
	"subject" text NOT NULL,
	"raw" "bytea" NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "postmaster_mails_network" ON "postmaster_mails" USING btree ("network","received_at");