-- People: invitations, what their sessions came from, single sign-on, and where an audited act came from.

-- Null until somebody signed in since this column exists.
ALTER TABLE users ADD COLUMN last_signed_in_at timestamp (3) with time zone;
--> statement-breakpoint
-- `password` or `saml`: turning SSO into a duty ends the sessions of the other kind.
ALTER TABLE sessions ADD COLUMN method text NOT NULL DEFAULT 'password';
--> statement-breakpoint
ALTER TABLE audit_log ADD COLUMN ip text;
--> statement-breakpoint
CREATE INDEX audit_log_action ON audit_log (tenant_id, action, id);
--> statement-breakpoint
-- One open invitation per address and tenant: a new one takes the place of the old. Only the SHA-256 of the token is
-- kept. `invited_by` is no foreign key, because the invitation's row outlives the person as a record.
CREATE TABLE invitations (
	id uuid PRIMARY KEY,
	tenant_id uuid NOT NULL REFERENCES tenants (id),
	email text NOT NULL,
	role text NOT NULL,
	token_hash bytea NOT NULL UNIQUE,
	invited_by uuid NOT NULL,
	invited_by_email text NOT NULL,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	expires_at timestamp (3) with time zone NOT NULL,
	accepted_at timestamp (3) with time zone,
	revoked_at timestamp (3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX invitations_open ON invitations (tenant_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
--> statement-breakpoint
-- The identity provider of a tenant. Nothing here is secret: certificates hold public keys.
CREATE TABLE saml_connections (
	tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
	idp_entity_id text NOT NULL,
	idp_sso_url text NOT NULL,
	certificates text[] NOT NULL,
	enabled boolean NOT NULL,
	required boolean NOT NULL,
	email_domains text[] NOT NULL,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	updated_at timestamp (3) with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
-- Sign-ins that were started and not yet answered. `browser_hash` is the SHA-256 of the cookie of the browser that
-- started it. The row is deleted by the answer that it fits, so that no second one does.
CREATE TABLE saml_requests (
	id text PRIMARY KEY,
	tenant_id uuid NOT NULL,
	browser_hash bytea NOT NULL,
	created_at timestamp (3) with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
-- Assertions that were used: none works twice, on whichever process.
CREATE TABLE saml_assertions (
	tenant_id uuid NOT NULL,
	assertion_id text NOT NULL,
	used_at timestamp (3) with time zone NOT NULL DEFAULT now(),
	PRIMARY KEY (tenant_id, assertion_id)
);
