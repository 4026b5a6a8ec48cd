// Which tables there are once for the whole service. They are in `public`; every bucket has all others for itself.

/** The schema of these tables, which is the first bucket too. */
export const HOME = 'public';

/** In SQL, at the end of the name of an advisory lock: the bucket of the statement, nothing for the first. Locks are the database's. */
export const OF_THIS_BUCKET = `coalesce(':' || nullif(current_schema(), '${HOME}'), '')`;

/**
 * Tables that there are once, by what they are for. A transaction may write to them beside its tenant's: they are found behind the
 * bucket in the search path, and on a cluster they are reference tables.
 */
export const SERVICE_TABLES: ReadonlySet<string> = new Set([
  // Where tenants are, and whom a name belongs to.
  ...['buckets', 'domain_claims', 'tenants'],
  // Who comes in: known before the tenant is.
  ...['api_keys', 'admin_tokens', 'users', 'memberships', 'sessions', 'second_factors', 'recovery_codes'],
  ...['sign_in_failures', 'invitations', 'saml_connections', 'saml_requests', 'saml_assertions'],
  // What operators look at, and what the service itself has to say.
  ...['audit_log', 'operations_notices', 'postmaster_mails', 'system_mails'],
  // The service towards the rest of the world, whoever the mail is from.
  ...['sources', 'source_days', 'source_rests', 'mta_sts_policies', 'tls_sessions', 'acme_accounts'],
]);
