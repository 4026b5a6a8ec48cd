// Before 354: whether a message may come at all. In the order of every send: the key, then the rate; then whether there is
// memory for it.

import type { SMTPServerSession } from 'smtp-server';

import { normalizeEmail } from '../../core/mail/address.ts';
import { Refusal } from '../../core/smtp-server/refusal.ts';
import { rateLimited, rateSubject } from '../exchange.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { SignIn } from './sign-in.ts';

/** What it needs. */
export interface StartDataDeps {
  signIn: SignIn;
  limiter: RateLimiter;
  memory: MemoryBudget;
}

/** Counts the recipients under the rate limit, or throws a Refusal. */
export async function startData(deps: StartDataDeps, session: SMTPServerSession): Promise<void> {
  const { mailFrom, rcptTo } = session.envelope;
  const principal = await deps.signIn.keyOf(session);
  if (!deps.memory.fits(declaredSize(mailFrom))) throw tooBusy();
  const recipients = new Set(rcptTo.map(({ address }) => normalizeEmail(address)));
  const rate = await deps.limiter.hit(
    rateSubject(principal, { address: session.remoteAddress }),
    'send',
    recipients.size,
  );
  if (!rate.allowed) throw new Refusal(451, `4.7.1 ${rateLimited(rate, 'recipients').message}`);
}

/** The refusal while other messages fill the memory. */
export function tooBusy(): Refusal {
  return new Refusal(452, '4.3.1 Too much mail is coming in at the moment; try again in a minute');
}

// RFC 1870: 0 and nothing mean that the client does not know.
function declaredSize(mailFrom: SMTPServerSession['envelope']['mailFrom']): number {
  const args = mailFrom === false ? false : mailFrom.args;
  const size = args ? (args as Record<string, unknown>)['SIZE'] : undefined;
  return typeof size === 'string' ? Number(size) : 0;
}
