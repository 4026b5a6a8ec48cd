// Mail that this service owes to people: what kinds there are, and what each must know until it is written.

/** Changes that a tenant's owners get mail about, by their action in the audit log. */
const MAILED_CHANGES = [
  'api_key.created',
  'domain.created',
  'sso.connection_saved',
  'sso.connection_deleted',
  'webhook.created',
  'webhook.url_changed',
  'webhook.inbound_url_changed',
  'tenant.suspended',
  'tenant.reactivated',
] as const;

/** One of them. */
export type MailedChange = (typeof MAILED_CHANGES)[number];

/** Changes of a person's account that they get mail about, by their action in the audit log. */
export const OWN_CHANGES = [
  'user.password_changed',
  'user.password_reset',
  'user.role_changed',
  'second_factor.turned_on',
  'second_factor.turned_off',
  'second_factor.reset',
  'second_factor.recovery_code_used',
] as const;

/** One of them. */
export type OwnChange = (typeof OWN_CHANGES)[number];

/** What a mail is about. `ip` is the client address of the request, as the rate limits count it. */
export type SystemMail =
  | { kind: 'password_reset'; data: { ip: string } }
  | { kind: 'new_sign_in'; data: { ip: string; browser: string; sso: boolean } }
  | { kind: 'domain_verified'; data: { id: string; name: string } }
  | {
      kind: 'alert';
      /** What was found, or is well again; what to do next, and the page of the dashboard for it. */
      data: { resolved: boolean; sentence: string; next: string | null; page: `/${string}` };
    }
  | {
      kind: 'change';
      data: { action: MailedChange; by: string; ip: string | null; details: Record<string, unknown> };
    }
  | {
      kind: 'own_change';
      data: { action: OwnChange; by: string; ip: string | null; details: Record<string, unknown> };
    };

/** Whether owners get mail about an action. */
export function isMailedChange(action: string): action is MailedChange {
  return (MAILED_CHANGES as readonly string[]).includes(action);
}
