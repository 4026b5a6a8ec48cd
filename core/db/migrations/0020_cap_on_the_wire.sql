CREATE INDEX "messages_admitted" ON "messages" USING btree ("admitted_day","domain_id") WHERE next_attempt_at is not null and admitted_day is not null and claimed_by is null;--> statement-breakpoint
CREATE INDEX "messages_due_new" ON "messages" USING btree ("stream","next_attempt_at","admitted_day") WHERE next_attempt_at is not null and admitted_day is not null and claimed_by is null;--> statement-breakpoint
ALTER INDEX "messages_due" RENAME TO "messages_due_old";--> statement-breakpoint
ALTER INDEX "messages_due_new" RENAME TO "messages_due";--> statement-breakpoint
DROP INDEX "messages_due_old";
