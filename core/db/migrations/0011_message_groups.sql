-- A sender of an earlier version does not find the content of a group: stop those before a new one accepts mail.
ALTER TABLE "messages" ADD COLUMN "group_id" uuid;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "address_field" text;--> statement-breakpoint
CREATE INDEX "messages_group" ON "messages" USING btree ("group_id") WHERE group_id is not null;