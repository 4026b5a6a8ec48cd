// What a failure means for the message: its bounce class, and whether another attempt is useless. Pure.

import { classifyBounce, type Bounce } from '../../core/mail/bounce/classify-bounce.ts';
import type { Failed, Refused } from './failure.ts';

/** The class of a refusal or failure at a host. */
export function classifyFailure(failure: Refused | Failed, host: string | null): Bounce {
  if (failure.kind === 'refused') {
    const { reply } = failure;
    return classifyBounce({ reply, command: reply.command, host, stage: 'smtp' });
  }
  const { enhanced, detail, stage, command } = failure;
  return classifyBounce({ reply: { code: null, enhanced, text: detail }, command, stage });
}

/** Whether this host will never take the message. */
export function isFinal(failure: Refused | Failed, bounce: Bounce): boolean {
  if (failure.kind === 'failed') return failure.permanent;
  switch (failure.reply.command) {
    // Whoever refuses us before MAIL FROM has not seen the message: our address or our set-up is refused, and an
    // operator can repair that in time (Postfix: smtp_skip_5xx_greeting=yes). Only a host that says in its greeting that
    // it takes no mail from anybody means it for good (521, RFC 7504 section 3).
    case 'CONNECT':
      return bounce.permanent && bounce.class === 'null_mx';
    case 'EHLO':
    case 'STARTTLS':
    case 'AUTH':
      return false;
    default:
      // 503 says that the session was out of step (RFC 5321 section 4.2.4); the next connection is not.
      return bounce.permanent && failure.reply.code !== 503;
  }
}
