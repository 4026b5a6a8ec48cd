// Mail to a person about a change of their account, written into the outbox in the transaction of the change.

import { actorName, type Actor } from '../audit/actor.ts';
import type { Config } from '../base/config.ts';
import type { Queryable } from '../db/pool.ts';
import { addSystemMail } from '../system-mail/system-mail-store.ts';
import type { OwnChange, SystemMail } from '../system-mail/system-mail.ts';
import { changeFacts, lines } from './system-letters.ts';
import { pageUrl, type SystemLetter } from './system-sender.ts';

/** Writes the mail. `tenantId` is the tenant that the change is about, if it is about one. */
export async function mailOwnChange(
  db: Queryable,
  by: Actor,
  { email, tenantId = null }: { email: string; tenantId?: string | null },
  { action, details = {} }: { action: OwnChange; details?: Record<string, unknown> },
): Promise<void> {
  const data = { action, by: actorName(by), ip: by.ip, details };
  await addSystemMail(db, { recipient: email, tenantId }, { kind: 'own_change', data });
}

/** The mail in words. `tenantName` is null for a change that is about no tenant. */
export function ownChangeLetter(
  config: Pick<Config, 'PUBLIC_URL'>,
  { email, tenantName, at }: { email: string; tenantName: string | null; at: Date },
  data: Extract<SystemMail, { kind: 'own_change' }>['data'],
): Omit<SystemLetter, 'to'> {
  const { title, shown, advice, page } = OWN_CHANGES[data.action];
  const subject = tenantName === null ? title : `${title} in ${tenantName}`;
  return {
    subject,
    text: lines([
      `${subject} (${email}).`,
      '',
      ...changeFacts(shown, data, at),
      '',
      `If you expect this, there is nothing to do. If not, ${advice}`,
      ...(page === null ? [] : [pageUrl(config, page)]),
    ]),
  };
}

const RESET = 'reset your password, which signs out all sessions:';
const ASK = 'ask an owner of your account, or your administrator, at once.';

const OWN_CHANGES: Readonly<
  Record<
    OwnChange,
    {
      title: string;
      shown: readonly (readonly [string, string])[];
      advice: string;
      page: `/${string}` | null;
    }
  >
> = {
  'user.password_changed': {
    title: 'Your password was changed',
    shown: [],
    advice: RESET,
    page: '/forgot-password',
  },
  'user.password_reset': {
    title: 'Your password was reset',
    shown: [],
    advice: `somebody reads your mail. Secure your mailbox, then ${RESET}`,
    page: '/forgot-password',
  },
  'user.role_changed': {
    title: 'Your role was changed',
    shown: [
      ['Before', 'from'],
      ['Now', 'to'],
    ],
    advice: 'ask the person who changed it.',
    page: null,
  },
  'second_factor.turned_on': {
    title: 'Two-factor authentication was turned on',
    shown: [],
    advice: ASK,
    page: null,
  },
  'second_factor.turned_off': {
    title: 'Two-factor authentication was turned off',
    shown: [],
    advice: RESET,
    page: '/forgot-password',
  },
  'second_factor.reset': {
    title: 'Two-factor authentication was reset',
    shown: [],
    advice: ASK,
    page: null,
  },
  'second_factor.recovery_code_used': {
    title: 'A recovery code of your account was used',
    shown: [['Left', 'left']],
    advice: `somebody has your password and your recovery codes: ${RESET}`,
    page: '/forgot-password',
  },
};
