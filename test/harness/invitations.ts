// Invitations and other mail of the service as their addressees get them: in an ApiWorld it ends at the stub sender.

import { sendDueSystemMail } from '../../core/people/send-system-mail.ts';
import type { ApiWorld } from './api-world.ts';
import { makeAccount } from './factories.ts';
import { waitUntil } from './wait.ts';

/** The domain of SYSTEM_MAIL_FROM in an ApiWorld. */
export const SYSTEM_DOMAIN = 'system.test';

/** Verifies the domain that invitations come from. */
export async function makeSystemSender({ context }: Pick<ApiWorld, 'context'>): Promise<void> {
  await makeAccount(context.db, { domain: SYSTEM_DOMAIN });
}

/** The token in the newest invitation that was mailed to an address. */
export function mailedToken(world: Pick<ApiWorld, 'stub'>, email: string): string {
  return tokenIn(mailsTo(world, email).at(-1)?.text ?? '');
}

/** What was mailed to an address, oldest first. */
export function mailsTo({ stub }: Pick<ApiWorld, 'stub'>, email: string) {
  const mails = stub.batches.flatMap(({ messages }) => messages.map(({ message }) => message!));
  return mails.filter(({ to }) => to[0]!.toLowerCase() === email.toLowerCase());
}

/** Does what schedulers do: sends all mail of the service that is due, and tries what is new, though the clock was set back. */
export async function sendSystemMail({ deps }: Pick<ApiWorld, 'deps'>): Promise<void> {
  const isNew = 'select 1 from system_mails where attempts = 0 limit 1';
  await waitUntil(async () => {
    while (await sendDueSystemMail(deps));
    return (await deps.db.pool.query(isNew)).rowCount === 0;
  });
}

/** The token in the link that resets a password. */
export function resetTokenIn(text: string): string {
  const token = /\/reset-password\/([\w-]{43})\s/.exec(text)?.[1];
  if (token === undefined) throw new Error('no link to reset a password was mailed');
  return token;
}

/** The token in the link of an invitation's text. */
export function tokenIn(text: string): string {
  const token = /\/invite\/([\w-]{43})\s/.exec(text)?.[1];
  if (token === undefined) throw new Error('no invitation was mailed');
  return token;
}
