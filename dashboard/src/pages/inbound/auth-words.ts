// What SPF, DKIM and DMARC said about a message, as people say it.

import type { InboundDetailFragment } from '../../gen/pages/inbound/inbound-message.ts';
import type { Tone } from '../../ui/badge.tsx';

/** The three results; null when nothing could be checked. */
export type Auth = InboundDetailFragment['auth'];

/** All three in a few words, for a list. */
export function authSummary(auth: Auth): { tone: Tone; text: string } {
  if (auth === null) return { tone: 'neutral', text: 'not checked' };
  if (auth.dmarc === 'pass') return { tone: 'good', text: 'authenticated' };
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

const CHECKS: Record<'spf' | 'dkim' | 'dmarc', Record<string, string>> = {
  spf: {
    pass: 'The sending server may send for the envelope sender’s domain.',
    fail: 'The domain says that this server may not send for it.',
    softfail: 'The domain does not expect mail from this server.',
    none: 'The domain does not say which servers send for it.',
  },
  dkim: {
    pass: 'A signature fits: the mail is as its signer sent it.',
    fail: 'The signature does not fit: the mail was changed on its way, or forged.',
    none: 'The mail is not signed.',
  },
  dmarc: {
    pass: 'The domain in From is who it says it is.',
    fail: 'Nothing proves that the domain in From sent this. It may be forged.',
    none: 'The domain in From has no policy.',
  },
};

/** What a result of one check means. */
export function resultSentence(check: 'spf' | 'dkim' | 'dmarc', result: string | null): string {
  if (result === null) return 'Not checked.';
  if (result === 'temperror') return 'DNS gave no answer in time, so nothing is known.';
  if (result === 'permerror') return 'What the domain published about it cannot be understood.';
  return CHECKS[check][result] ?? 'It says neither yes nor no.';
}
