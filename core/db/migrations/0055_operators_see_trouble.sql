CREATE INDEX "domains_stopped" ON "domains" USING btree ("id") WHERE warmup_state = 'paused' or failing_since is not null;--> statement-breakpoint
CREATE INDEX "domain_days_day" ON "domain_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("tenant_id","actor","id");--> statement-breakpoint
CREATE INDEX "tracking_hosts_expiry" ON "tracking_hosts" USING btree ("certificate_expires_at");