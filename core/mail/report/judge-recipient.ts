// Judges what a report says of one recipient: whether delivery ended, and by the table of refusals (core/mail/bounce) why.
// The codes and the reply that it quotes come first, its words for people second.

import type { BounceClass } from '../bounce/bounce-classes.ts';
import { classifyBounce, type Bounce, type Refusal } from '../bounce/classify-bounce.ts';
import type { SmtpCommand } from '../smtp-reply.ts';
import { findRefusal } from './dsn-refusal.ts';
import type { DsnFields } from './dsn-status.ts';

/** What a report says about one recipient. */
export interface ReportedRecipient {
  /** Lower case; empty when the report names nobody. */
  address: string;
  /** The address that the message was sent to, where the report names it apart; lower case, else empty. */
  originalAddress: string;
  outcome: 'failed' | 'delayed' | 'delivered';
  class: BounceClass;
  kind: 'hard' | 'soft';
  infrastructure: boolean;
  suppresses: boolean;
  smtpCode: number | null;
  enhancedCode: string | null;
  diagnostic: string;
}

const MAX_DIAGNOSTIC_CHARS = 1000;

/** What one recipient is judged by. */
interface Statement {
  address: string;
  originalAddress: string;
  words: string;
  status: string;
  action: DsnFields['action'];
  /** What the report says to people about the same recipient. */
  aside: string;
  /** That wrote the report. */
  host: string;
  standard: boolean;
  /** What the words of the report say of delivery as a whole. */
  announced: 'delayed' | 'failed' | null;
}

interface Verdict extends Bounce {
  refusal: Refusal;
  /** The words that were judged. */
  said: string;
}

/** The verdict of a report about one recipient. Pure. */
export function judgeRecipient(statement: Statement): ReportedRecipient {
  const verdict = readVerdict(statement);
  const { class: bounceClass, infrastructure, refusal } = verdict;
  const outcome = outcomeOf(statement, verdict);
  const hard = outcome === 'failed' && verdict.kind === 'hard';
  return {
    address: statement.address,
    originalAddress: statement.originalAddress,
    outcome,
    class: bounceClass,
    kind: hard ? 'hard' : 'soft',
    infrastructure,
    suppresses: hard && verdict.suppresses,
    smtpCode: refusal.code,
    enhancedCode: refusal.enhanced,
    diagnostic: (statement.standard ? statement.words || statement.aside : verdict.said)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_DIAGNOSTIC_CHARS)
      .toWellFormed(),
  };
}

// The diagnostic decides. Where it is missing, or says nothing that we know, the text for people may; and where that
// text says that the mailbox is there, the milder reading counts.
function readVerdict(statement: Statement): Verdict {
  const { words, aside } = statement;
  const asked = findRefusal(aside).command ?? null;
  const first = classify(statement, words, asked);
  if (aside === '') return first;
  const second = classify(statement, aside, asked);
  if (isVague(second)) return first;
  if (isVague(first)) return second;
  return first.kind === 'hard' && MILDER.includes(second.class) ? second : first;
}

// `asked` is the command that other words of the report name.
function classify(statement: Statement, words: string, asked: SmtpCommand | null): Verdict {
  const refusal = findRefusal(words, statement.status);
  const command = refusal.command ?? asked ?? (isAboutRecipient(statement, words, refusal) ? 'RCPT' : null);
  const judge = (text: string): Verdict => {
    const reply = { ...refusal, text };
    return {
      ...classifyBounce({ reply, command, host: statement.host, stage: 'dsn' }),
      refusal,
      said: words,
    };
  };
  const quoted = judge(refusal.text);
  // The report may explain in its own words what the reply that it quotes does not say.
  const whole = isVague(quoted) ? judge(words) : quoted;
  return isVague(whole) ? quoted : whole;
}

// Where no command is named, a reply in the field of a recipient, or one that repeats its address, is about that
// recipient, unless its code names another subject.
function isAboutRecipient(
  { standard, address }: Statement,
  words: string,
  { code, enhanced }: Refusal,
): boolean {
  if (enhanced !== null && !/\.0\.0$|\.5\.\d+$/.test(enhanced)) return false;
  return standard ? code !== null : address !== '' && words.toLowerCase().includes(address);
}

function isVague({ ruleId }: Verdict): boolean {
  return VAGUE_RULES.includes(ruleId);
}

const MILDER: readonly BounceClass[] = ['mailbox_full', 'inactive_mailbox'];

// Codes that say only where it went wrong; the words beside them may know more.
const VAGUE_RULES: readonly string[] = [
  'none',
  'system-unavailable',
  'x.3',
  'x.5.1-4',
  'x.6',
  'x.7',
  '500-504',
  '530',
];

// RFC 3464 section 2.3.3: only `failed` ends a message. Without that field nothing does but a permanent sign: in plain
// words an announcement that it failed, else a code or a reason that is permanent.
function outcomeOf(
  { action, status, announced, standard }: Statement,
  verdict: Verdict,
): ReportedRecipient['outcome'] {
  if (action === 'failed') return 'failed';
  if (action === 'delayed') return 'delayed';
  if (action !== null) return 'delivered';
  const { code, enhanced } = verdict.refusal;
  if (status.startsWith('2') && code === null) return 'delivered';
  if (status.startsWith('5')) return 'failed';
  if (announced === 'delayed') return 'delayed';
  if (announced === 'failed' && (!standard || code === null)) return 'failed';
  const permanent = code === null ? enhanced?.startsWith('5') || verdict.kind === 'hard' : code >= 500;
  return permanent ? 'failed' : 'delayed';
}
