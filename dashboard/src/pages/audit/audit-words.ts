// The audit log in sentences: who did what to what.

/** One part of a sentence. With `href` it is a link. */
export interface Words {
  text: string;
  href?: string;
}

// What was done, after the name of who did it. `[name]` is the detail of that name as a link to the subject, `[name|noun]` with a
// noun for where there is none; `{name}` is a detail as text. A part in round brackets is left out without its detail.
const SENTENCES: Readonly<Record<string, string>> = {
  'admin_token.created': 'created an administrator token',
  'admin_token.revoked': 'revoked an administrator token',
  'alert.rule_created': 'added an [|alert rule] for {kind}',
  'alert.rule_changed': 'changed the [|alert rule] for {kind}',
  'alert.rule_deleted': 'deleted the alert rule for {kind}',
  'alert.chat_changed': 'changed where alerts are posted( to {chat_host})',
  'api_key.created': 'created the API key [name|key]( with the scopes {scopes})',
  'api_key.revoked': 'revoked an [|API key]',
  'bulk.started': 'started the {what}( for {rows} chosen rows)',
  'bulk.completed': 'completed the {what}: {done} done, {refused} left as they were',
  'bulk.failed': 'could not complete the {what}: {done} done, {refused} left as they were',
  'campaign.created': 'created the campaign [name|campaign]',
  'campaign.changed': 'changed the campaign [name|campaign](: {fields})',
  'campaign.deleted': 'deleted the campaign {name}',
  'campaign.launched': 'launched the campaign [name|campaign]( for {scheduled_at})',
  'campaign.scheduled': 'scheduled the campaign [name|campaign]( for {scheduled_at})',
  'campaign.unscheduled': 'made the campaign [name|campaign] a draft again',
  'campaign.paused': 'paused the campaign [name|campaign]',
  'campaign.resumed': 'resumed the campaign [name|campaign]',
  'campaign.cancelled': 'cancelled the campaign [name|campaign]',
  'campaign.recipients_downloaded': 'downloaded the recipients of the campaign [name|campaign]',
  'campaign.retried': 'sent the campaign [name|campaign] again to {recipients} failed recipients',
  'contact.created': 'created a [|contact]',
  'contact.changed': 'changed a [|contact](: {fields})',
  'contact.deleted': 'deleted a contact',
  'contact.list_joined': 'added a [|contact] to a list',
  'contact.list_left': 'removed a [|contact] from a list',
  'domain.created': 'added the domain [name|domain]',
  'domain.verified': 'found the records of [name|the domain]: it is verified',
  'domain.failed': 'stopped sending from [name|the domain](: {reason})',
  'domain.changed': 'changed the settings of a [|domain]',
  'domain.deleted': 'deleted the domain {name}',
  'domain.dkim_rotation_started': 'created a new DKIM key for [name|the domain]',
  'domain.dkim_rotation_cancelled': 'cancelled the DKIM rotation of a [|domain]',
  'domain.dkim_switched': 'switched [name|the domain] to its new DKIM key',
  'domain.braked': 'set the brake of [domain|the domain] to hold {brake} mail(: {reason})',
  'domain.opened': 'looked at [|a domain] as an operator',
  'domain.brake_released': 'released the brake of [domain|the domain]',
  'export.created': 'exported {kind} as CSV',
  'export.downloaded': 'downloaded a CSV file of {kind}',
  'import.created': 'started an [|import of contacts]',
  'import.failed_rows_downloaded': 'downloaded the failed rows of an [|import]',
  'inbound_message.content_read': 'read an inbound message',
  'inbound_message.deleted': 'deleted an inbound message',
  'invitation.created': 'invited {email} as {role}',
  'invitation.revoked': 'revoked the invitation of {email}',
  'list.created': 'created the list {name}',
  'list.renamed': 'renamed a list to {name}',
  'list.deleted': 'deleted the list {name}',
  'mailbox.created': 'created the mailbox {address}',
  'mailbox.renamed': 'renamed the mailbox {address}',
  'mailbox.deleted': 'deleted the mailbox {address}',
  'message.cancelled': 'cancelled a [|message]',
  'message.attempts_opened': 'looked at the delivery attempts of a [|message] as an operator',
  'message.content_read': 'read the content of a [|message]',
  'message.rescheduled': 'rescheduled a [|message]( for {scheduled_at})',
  'message.sent_again': 'sent a [|message] again( to {to})',
  'message.tried_now': 'had a [|message] tried at once',
  'message.settings_changed': 'changed which contents of messages are kept',
  'second_factor.started': 'started to set up two-factor authentication',
  'second_factor.turned_on': 'turned on two-factor authentication',
  'second_factor.turned_off': 'turned off two-factor authentication',
  'second_factor.recovery_codes_replaced': 'replaced the recovery codes',
  'second_factor.recovery_code_used': 'used a recovery code; {left} are left',
  'second_factor.reset': 'reset the two-factor authentication of {email}',
  'session.started': 'signed in( by {method})',
  'session.switched': 'switched to this account',
  'session.confirmed': 'confirmed their identity',
  'session.ended': 'signed out',
  'session.ended_by_spent_token': 'was signed out: a spent token was used, as a thief would',
  'session.revoked': 'ended one of their sessions',
  'session.others_revoked': 'ended all their other sessions',
  'sign_in.failed': 'failed to sign in( by {method})(: {why})',
  'sso.connection_saved': 'changed [|single sign-on]',
  'sso.connection_deleted': 'removed [|single sign-on]',
  'suppression.added': 'suppressed {added} addresses( because of {reason})',
  'suppression.removed': 'lifted a suppression',
  'template.created': 'created the template [name|template]',
  'template.changed':
    'changed the template [name|template]( to version {version})(, restored from version {restored_from})',
  'template.deleted': 'deleted the template {name}',
  'tenant.created': 'created the account {name}',
  'tenant.plan_changed': 'changed the plan from {from} to {to}',
  'tenant.suspended': 'suspended the account',
  'tenant.reactivated': 'reactivated the account',
  'tenant.opened': 'looked at the account as an operator',
  'tenant.messages_opened': 'looked at the list of messages as an operator',
  'tenant.audit_log_opened': 'looked at the audit log as an operator',
  'tenant.second_factor_required': 'changed whether everybody needs two-factor authentication',
  'user.created': 'added {email} as {role}',
  'user.removed': 'removed {email}',
  'user.role_changed': 'changed the role of {email} from {from} to {to}',
  'user.password_changed': 'changed their password',
  'user.password_set': 'set the password of {email}',
  'user.password_reset': 'reset their password by mail',
  'user.password_reset_asked': 'asked to reset a password by mail',
  'user.profile_changed': 'changed their time zone( to {time_zone})',
  'warmup.advance': 'moved [domain|the domain] up from tier {from_tier} to {to_tier}(: {reason})',
  'warmup.demote': 'moved [domain|the domain] down from tier {from_tier} to {to_tier}(: {reason})',
  'warmup.pause': 'paused [domain|the domain](: {reason})',
  'warmup.reset': 'moved [domain|the domain] from tier {from_tier} back to {to_tier}(: {reason})',
  'warmup.set': 'moved [domain|the domain] from tier {from_tier} to {to_tier}(: {reason})',
  'warmup.hold': 'held [domain|the domain] at tier {to_tier}(: {reason})',
  'warmup.release': 'released the hold of [domain|the domain](: {reason})',
  'warmup.resume': 'resumed sending from [domain|the domain](: {reason})',
  'warmup.plan_stored': 'stored a warm-up plan( from {start_date})',
  'warmup.plan_deleted': 'deleted the warm-up plan( from {start_date})',
  'webhook.created': 'created the webhook [url|webhook]',
  'webhook.changed': 'changed the webhook [url|for inbound mail]',
  'webhook.deleted': 'deleted the webhook {url}',
  'webhook.replayed': 'replayed deliveries of a [|webhook]',
  'webhook.rotated': 'rotated the secret of the webhook [url|for inbound mail]',
  'webhook.turned_off': 'turned off the webhook [url|webhook](: {reason})',
};

// The pages of what has one, by the prefix of its id.
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  dom: (id) => `/domains/${id}`,
  msg: (id) => `/messages/${id}`,
  tpl: (id) => `/templates/${id}`,
  cmp: (id) => `/campaigns/${id}`,
  con: (id) => `/contacts/${id}`,
  imp: (id) => `/contacts/imports/${id}`,
  whk: (id) => `/webhooks/${id}`,
  key: () => '/api-keys',
  alr: () => '/alerts',
};

/** What was done, without who did it. An action without a sentence of its own reads as its name. */
export function auditSentence(action: string, subject: string, detail: unknown): Words[] {
  const details = (typeof detail === 'object' && detail !== null ? detail : {}) as Record<string, unknown>;
  const sentence = SENTENCES[action];
  if (sentence === undefined) return [{ text: action.replaceAll(/[._]/g, ' ') }];
  const href = action.startsWith('sso.') ? '/sso' : PAGES[subject.slice(0, subject.indexOf('_'))]?.(subject);
  const whole = sentence.replaceAll(/\(([^(){}]*\{(\w+)\}[^()]*)\)/g, (_, part: string, name: string) =>
    hasValue(details[name]) ? part : '',
  );
  return whole.split(/(\[[^[\]]*\]|\{\w+\})/).flatMap((part): Words[] => {
    const [, name, noun = ''] = /^\[(\w*)(?:\|(.*))?\]$/.exec(part) ?? [];
    if (name !== undefined) {
      const text = hasValue(details[name]) ? valueText(details[name]) : noun;
      return [href === undefined ? { text } : { text, href }];
    }
    const [, plain] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (plain !== undefined) return [{ text: valueText(details[plain]) }];
    return part === '' ? [] : [{ text: part }];
  });
}

function hasValue(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function valueText(value: unknown): string {
  if (!hasValue(value)) return 'unknown';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
