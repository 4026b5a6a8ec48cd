-- Constraints that SQL written by hand left to PostgreSQL to name get the names that drizzle derives from the schema,
-- so that a generated migration finds them.
ALTER TABLE campaign_recipients RENAME CONSTRAINT campaign_recipients_pkey TO campaign_recipients_campaign_id_contact_id_pk;
--> statement-breakpoint
ALTER TABLE campaigns RENAME CONSTRAINT campaigns_tenant_id_fkey TO campaigns_tenant_id_tenants_id_fk;
--> statement-breakpoint
ALTER TABLE contact_import_chunks RENAME CONSTRAINT contact_import_chunks_pkey TO contact_import_chunks_import_id_seq_pk;
--> statement-breakpoint
ALTER TABLE contact_imports RENAME CONSTRAINT contact_imports_tenant_id_fkey TO contact_imports_tenant_id_tenants_id_fk;
--> statement-breakpoint
ALTER TABLE contact_imports RENAME CONSTRAINT contact_imports_effect_id_key TO contact_imports_effect_id_unique;
--> statement-breakpoint
ALTER TABLE contact_list_members RENAME CONSTRAINT contact_list_members_pkey TO contact_list_members_list_id_contact_id_pk;
--> statement-breakpoint
ALTER TABLE contact_lists RENAME CONSTRAINT contact_lists_tenant_id_fkey TO contact_lists_tenant_id_tenants_id_fk;
--> statement-breakpoint
ALTER TABLE contacts RENAME CONSTRAINT contacts_tenant_id_fkey TO contacts_tenant_id_tenants_id_fk;
--> statement-breakpoint
ALTER TABLE contacts RENAME CONSTRAINT contacts_pkey TO contacts_tenant_id_id_pk;
--> statement-breakpoint
ALTER TABLE domain_days RENAME CONSTRAINT domain_days_pkey TO domain_days_domain_id_day_simulated_pk;
--> statement-breakpoint
ALTER TABLE esp_days RENAME CONSTRAINT esp_days_pkey TO esp_days_tenant_id_day_esp_pk;
--> statement-breakpoint
ALTER TABLE inbound_attachments RENAME CONSTRAINT inbound_attachments_raw_id_fkey TO inbound_attachments_raw_id_inbound_raws_id_fk;
--> statement-breakpoint
ALTER TABLE inbound_attachments RENAME CONSTRAINT inbound_attachments_pkey TO inbound_attachments_raw_id_index_seq_pk;
--> statement-breakpoint
ALTER TABLE inbound_chunks RENAME CONSTRAINT inbound_chunks_pkey TO inbound_chunks_raw_id_seq_pk;
--> statement-breakpoint
ALTER TABLE inbound_contents RENAME CONSTRAINT inbound_contents_raw_id_fkey TO inbound_contents_raw_id_inbound_raws_id_fk;
--> statement-breakpoint
ALTER TABLE inbound_messages RENAME CONSTRAINT inbound_messages_raw_id_fkey TO inbound_messages_raw_id_inbound_raws_id_fk;
--> statement-breakpoint
ALTER TABLE invitations RENAME CONSTRAINT invitations_tenant_id_fkey TO invitations_tenant_id_tenants_id_fk;
--> statement-breakpoint
ALTER TABLE invitations RENAME CONSTRAINT invitations_token_hash_key TO invitations_token_hash_unique;
--> statement-breakpoint
ALTER TABLE mailboxes RENAME CONSTRAINT mailboxes_tenant_id_fkey TO mailboxes_tenant_id_tenants_id_fk;
--> statement-breakpoint
ALTER TABLE operations_notices RENAME CONSTRAINT operations_notices_event_key TO operations_notices_event_unique;
--> statement-breakpoint
ALTER TABLE saml_assertions RENAME CONSTRAINT saml_assertions_pkey TO saml_assertions_tenant_id_assertion_id_pk;
--> statement-breakpoint
ALTER TABLE saml_connections RENAME CONSTRAINT saml_connections_tenant_id_fkey TO saml_connections_tenant_id_tenants_id_fk;
--> statement-breakpoint
ALTER TABLE warmup_rates RENAME CONSTRAINT warmup_rates_pkey TO warmup_rates_domain_id_day_pk;
--> statement-breakpoint
ALTER TABLE warmup_schedule_days RENAME CONSTRAINT warmup_schedule_days_tenant_id_fkey TO warmup_schedule_days_tenant_id_warmup_schedules_tenant_id_fk;
--> statement-breakpoint
ALTER TABLE warmup_schedule_days RENAME CONSTRAINT warmup_schedule_days_pkey TO warmup_schedule_days_tenant_id_day_pk;
--> statement-breakpoint
ALTER TABLE warmup_schedules RENAME CONSTRAINT warmup_schedules_tenant_id_fkey TO warmup_schedules_tenant_id_tenants_id_fk;
--> statement-breakpoint
ALTER TABLE webhook_attempts RENAME CONSTRAINT webhook_attempts_delivery_id_fkey TO webhook_attempts_delivery_id_webhook_deliveries_id_fk;
--> statement-breakpoint
ALTER TABLE webhook_attempts RENAME CONSTRAINT webhook_attempts_pkey TO webhook_attempts_delivery_id_claim_version_pk;
--> statement-breakpoint
ALTER TABLE webhook_deliveries RENAME CONSTRAINT webhook_deliveries_raw_id_fkey TO webhook_deliveries_raw_id_inbound_raws_id_fk;
--> statement-breakpoint
ALTER TABLE webhook_settings RENAME CONSTRAINT webhook_settings_tenant_id_fkey TO webhook_settings_tenant_id_tenants_id_fk;
