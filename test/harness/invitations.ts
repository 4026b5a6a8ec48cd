// Invitations as their addressees get them: by the mail, which in an ApiWorld ends at the stub sender.

import type { ApiWorld } from './api-world.ts';
import { makeAccount } from './factories.ts';

/** The domain of SYSTEM_MAIL_FROM in an ApiWorld. */
export const SYSTEM_DOMAIN = 'system.test';

/** Verifies the domain that invitations come from. */
export async function makeSystemSender({ context }: Pick<ApiWorld, 'context'>): Promise<void> {
  await makeAccount(context.db, { domain: SYSTEM_DOMAIN });
}

/** The token in the newest invitation that was mailed to an address. */
export function mailedToken({ stub }: Pick<ApiWorld, 'stub'>, email: string): string {
  const mails = stub.batches.flatMap(({ messages }) => messages.map(({ message }) => message!));
  const mail = mails.findLast(({ to }) => to[0]!.toLowerCase() === email.toLowerCase());
  return tokenIn(mail?.text ?? '');
}

/** The token in the link of an invitation's text. */
export function tokenIn(text: string): string {
  const token = /\/invite\/([\w-]{43})\s/.exec(text)?.[1];
  if (token === undefined) throw new Error('no invitation was mailed');
  return token;
}
