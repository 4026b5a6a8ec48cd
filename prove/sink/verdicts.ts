// What the mail servers of the world make of a message. The first word of the local part decides, so that whoever reads
// an address in the journal knows what was to happen: `busy-17@busy.test`.

/** What a recipient's server does; each kind has domains of its own, so that one's trouble slows no other. */
export const KINDS = [
  'ok',
  'slow',
  'late',
  'pause',
  'cut',
  'grey',
  'busy',
  'full',
  'never',
  'unknown',
] as const;

/** One of them. */
export type Kind = (typeof KINDS)[number];

/** What is known when a server decides. */
export interface Situation {
  recipient: string;
  /** Times that this recipient was asked for before, at this step. */
  before: number;
  /** The UTC day by the store's calendar, and the one on which the recipient was first asked for. */
  today: string;
  firstDay: string;
}

/** A reply, and how long it takes. */
export interface Verdict {
  /** Null hangs up without a word. */
  reply: string | null;
  afterMs: number;
}

const SLOW_MS = 3_000;
const PAUSE_MS = 2_000;
const LATE_MS = 5_000;
const TAKEN = '250 2.0.0 taken';

/** The answer to RCPT. */
export function onRecipient({ recipient, before }: Situation): string {
  if (kindOf(recipient) === 'unknown') return '550 5.1.1 no such user here';
  if (kindOf(recipient) === 'grey' && before === 0) return '451 4.7.1 greylisted, come again';
  return '250 2.1.5 ok';
}

/** How long the answer to RCPT takes: long enough for a midnight between it and the admission of the message. */
export function beforeRecipientMs(recipient: string): number {
  return kindOf(recipient) === 'late' ? LATE_MS : 0;
}

/** How long the answer to DATA takes: a sender that stood still meanwhile must ask itself whether it may still send. */
export function beforeGoAheadMs(recipient: string): number {
  return kindOf(recipient) === 'pause' ? PAUSE_MS : 0;
}

/** The answer to the final dot. */
export function onMessage({ recipient, before, today, firstDay }: Situation): Verdict {
  switch (kindOf(recipient)) {
    case 'slow':
      return { reply: TAKEN, afterMs: SLOW_MS };
    case 'cut': // it has the message, and the sender cannot know (RFC 1047)
      return { reply: before === 0 ? null : TAKEN, afterMs: 0 };
    case 'busy':
      return soon(before < 2 ? '451 4.3.2 busy, come again' : TAKEN);
    case 'full': // for the rest of the day on which it was first tried
      return soon(today === firstDay ? '421 4.3.2 full for today' : TAKEN);
    case 'never':
      return soon('421 4.3.2 come again');
    default:
      return soon(TAKEN);
  }
}

/** The first word of an address. */
function kindOf(recipient: string): string {
  return recipient.slice(0, recipient.search(/[-@]/));
}

function soon(reply: string): Verdict {
  return { reply, afterMs: 0 };
}
