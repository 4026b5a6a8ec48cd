// What this service writes to people about their account and their tenant, as plain text.

import type { Config } from '../base/config.ts';
import type { MailedChange, SystemMail } from '../system-mail/system-mail.ts';
import { pageUrl, type SystemLetter } from './system-sender.ts';

type Place = Pick<Config, 'PUBLIC_URL'>;
type Words = Omit<SystemLetter, 'to'>;
type Of<K extends SystemMail['kind']> = Extract<SystemMail, { kind: K }>['data'];

/** The link with which a new password is chosen; without one, for somebody who has no password, where to sign in. */
export function resetLetter(
  config: Place,
  email: string,
  { ip }: Of<'password_reset'>,
  token: string | null,
): Words {
  const next =
    token === null
      ? [
          'You sign in with SSO, so there is no password to reset. Choose "Sign in with SSO":',
          pageUrl(config, '/sign-in'),
        ]
      : [
          'Choose a new password:',
          pageUrl(config, `/reset-password/${token}`),
          '',
          'The link works once, for one hour. If it was not you, ignore this message: your password stays as it is.',
        ];
  const asked = `Somebody asked to reset the password of ${email}, from ${ip}.`;
  return { subject: 'Reset your password', text: lines([asked, '', ...next]) };
}

/** A sign-in from where the person was not seen before. */
export function signInLetter(config: Place, email: string, at: Date, data: Of<'new_sign_in'>): Words {
  return {
    subject: 'New sign-in to your account',
    text: lines([
      `${email} signed in from an address or browser that was not used for this account before.`,
      '',
      ...facts([
        ['Time', utc(at)],
        ['Address', data.ip],
        ['Browser', data.browser],
        ['With', data.sso ? 'SSO' : 'the password'],
      ]),
      '',
      'If it was you, there is nothing to do. If not, change your password, which signs out all other sessions:',
      pageUrl(config, '/profile'),
    ]),
  };
}

/** A domain that waited for its records, and whose records were found. */
export function verifiedLetter(config: Place, { id, name }: Of<'domain_verified'>): Words {
  return {
    subject: `${name} is verified`,
    text: lines([
      `The DNS records of ${name} were found. You can send from it now.`,
      '',
      'Its daily cap and its warm-up:',
      pageUrl(config, `/domains/${id}`),
      '',
      'You get this message as an owner.',
    ]),
  };
}

/** Something that reached its threshold, or is well again. */
export function alertLetter(config: Place, tenantName: string, at: Date, data: Of<'alert'>): Words {
  const { resolved, sentence, next, page } = data;
  return {
    subject: `${resolved ? 'Resolved' : 'Alert'}: ${sentence}`,
    text: lines([
      resolved ? `This is well again: ${sentence}` : sentence,
      ...(next === null ? [] : ['', next]),
      '',
      ...facts([
        ['Account', tenantName],
        ['Time', utc(at)],
      ]),
      pageUrl(config, page),
      '',
      'You get this message as an owner. What you are alerted about is set here:',
      pageUrl(config, '/alerts'),
    ]),
  };
}

/** A change that the owners of a tenant should know of. */
export function changeLetter(config: Place, tenantName: string, at: Date, data: Of<'change'>): Words {
  const { title, note, shown, page } = CHANGES[data.action];
  return {
    subject: `${title} in ${tenantName}`,
    text: lines([
      `${title} in ${tenantName}.`,
      ...(note === undefined ? [] : [note]),
      '',
      ...changeFacts(shown, data, at),
      '',
      'You get this message as an owner. If you do not expect the change, look at it here, and at the audit log:',
      pageUrl(config, page),
    ]),
  };
}

/** Each change in words, the details of its audit row that are shown, and the page of the dashboard that has it. */
const CHANGES: Readonly<
  Record<
    MailedChange,
    { title: string; note?: string; shown: readonly (readonly [string, string])[]; page: `/${string}` }
  >
> = {
  'api_key.created': {
    title: 'New API key',
    shown: [
      ['Name', 'name'],
      ['Scopes', 'scopes'],
      ['Expires', 'expires_at'],
      ['Allowed addresses', 'allowed_addresses'],
    ],
    page: '/api-keys',
  },
  'domain.created': { title: 'New sending domain', shown: [['Domain', 'name']], page: '/domains' },
  'sso.connection_saved': {
    title: 'Single sign-on was changed',
    shown: [
      ['On', 'enabled'],
      ['Required', 'required'],
      ['Identity provider', 'idpEntityId'],
      ['Domains', 'emailDomains'],
    ],
    page: '/sso',
  },
  'sso.connection_deleted': { title: 'Single sign-on was removed', shown: [], page: '/sso' },
  'webhook.created': { title: 'New webhook', shown: [['Host', 'url']], page: '/webhooks' },
  'webhook.url_changed': { title: 'A webhook has another URL', shown: [['Host', 'url']], page: '/webhooks' },
  'webhook.inbound_url_changed': {
    title: 'Inbound mail goes to another URL',
    shown: [['Host', 'webhook_url']],
    page: '/inbound/webhook',
  },
  'tenant.suspended': {
    title: 'Mail was suspended',
    note: 'Nothing is sent or received until the operator of this service reactivates the account. Messages that wait are kept, and expire as usual.',
    shown: [],
    page: '/audit',
  },
  'tenant.reactivated': {
    title: 'Mail was reactivated',
    note: 'Messages that waited are sent as far as the daily caps allow.',
    shown: [],
    page: '/audit',
  },
};

/** What a change was: the details that are shown, by whom, from where and when. */
export function changeFacts(
  shown: readonly (readonly [string, string])[],
  { by, ip, details }: { by: string; ip: string | null; details: Record<string, unknown> },
  at: Date,
): string[] {
  const values = shown.flatMap(([label, field]): [string, string][] => {
    const value = field.endsWith('url') ? hostOf(details[field]) : shownValue(details[field]);
    return value === null ? [] : [[label, value]];
  });
  return facts([
    ...values,
    ['By', by],
    ...(ip === null ? [] : [['Address', ip] as [string, string]]),
    ['Time', utc(at)],
  ]);
}

// Paths and queries of URLs may be secrets.
function hostOf(url: unknown): string | null {
  return typeof url === 'string' ? new URL(url).host : null;
}

function facts(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.map(([label, value]) => `${label}: ${value}`);
}

function utc(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Lines of a mail as its text. */
export function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

function shownValue(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
