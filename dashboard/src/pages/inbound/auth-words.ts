// Texts for the SPF, DKIM and DMARC results of a message.

import type { InboundDetailFragment } from '../../gen/pages/inbound/inbound-message.ts';
import type { Tone } from '../../ui/badge.tsx';

/** The three results; null when they could not be checked. */
export type Auth = InboundDetailFragment['auth'];

/** A short summary of all three, for a list. */
export function authSummary(auth: Auth): { tone: Tone; text: string } {
  if (auth === null) return { tone: 'neutral', text: 'not checked' };
  if (auth.dmarc === 'pass') return { tone: 'good', text: 'authenticated' };
  if (auth.dmarc === 'fail' && auth.arc === 'pass') return { tone: 'warn', text: 'DMARC failed, forwarded' };
  if (auth.dmarc === 'fail') return { tone: 'bad', text: 'DMARC failed' };
  const passed = [auth.spf === 'pass' && 'SPF', auth.dkim === 'pass' && 'DKIM'].filter(Boolean);
  if (passed.length > 0) return { tone: 'note', text: `${passed.join(' and ')} passed` };
  if (auth.spf === 'fail' || auth.dkim === 'fail') return { tone: 'warn', text: 'check failed' };
  return { tone: 'neutral', text: 'not authenticated' };
}

/** The colour of one result. */
export function resultTone(result: string | null): Tone {
  switch (result) {
    case 'pass':
      return 'good';
    case 'fail':
    case 'permerror':
      return 'bad';
    case 'softfail':
    case 'temperror':
      return 'warn';
    default:
      return 'neutral';
  }
}

type CheckName = 'spf' | 'dkim' | 'dmarc' | 'arc';

const CHECKS: Record<CheckName, Record<string, string>> = {
  spf: {
    pass: 'The server is allowed to send for the envelope sender’s domain.',
    fail: 'The server is not allowed to send for the envelope sender’s domain.',
    softfail: 'The server is probably not allowed to send for the envelope sender’s domain.',
    none: 'The domain publishes no SPF record.',
  },
  dkim: {
    pass: 'The signature is valid: the message was not changed in transit.',
    fail: 'The signature is not valid: the message was changed in transit, or forged.',
    none: 'The message is not signed.',
  },
  dmarc: {
    pass: 'The domain in From is authenticated.',
    fail: 'The domain in From is not authenticated. The message may be forged.',
    none: 'The domain in From publishes no DMARC policy.',
  },
  arc: {
    pass: 'Servers that passed the message on sealed what they saw. A forward can explain why DMARC fails.',
    fail: 'A seal of a server that passed the message on is not valid.',
  },
};

/** An explanation of the result of one check. */
export function resultSentence(check: CheckName, result: string | null): string {
  if (result === null) return 'Not checked.';
  if (result === 'temperror') return 'DNS did not answer in time.';
  if (result === 'permerror') return 'The domain’s DNS record is not valid.';
  return CHECKS[check][result] ?? 'The result is neutral.';
}
