// Turns a refusal, from a live session or quoted in a report, into a bounce class.
// Guarantee: the first matching row of the table decides, and what no row knows is `uncategorized`.

import { BOUNCE_CLASSES, type BounceClass } from './bounce-classes.ts';
import { BOUNCE_RULES } from './rules.ts';
import type { BounceRule, BounceStage } from './rule.ts';
import type { SmtpCommand } from '../smtp-reply.ts';

/**
 * What was said. A Reply fits; a report or a network error may have no code, no enhanced code, or neither.
 */
export type Refusal = {
  code: number | null;
  enhanced: string | null;
  text: string;
  command?: SmtpCommand | null;
};

/**
 * A refusal, what it answered (else `reply.command`), the host that gave it, and where; `stage` defaults to a live
 * SMTP session.
 */
export type BounceInput = {
  reply: Refusal;
  command?: SmtpCommand | null;
  host?: string | null;
  stage?: BounceStage;
};

/**
 * The verdict. `permanent`: retrying this attempt's message is over (5xx, or an enhanced 5 where there is no
 * code; without both, see isPermanent). `kind` and `suppresses` hold what the class says only when the
 * refusal is permanent ("450 user unknown" is soft) and about the address (see isAboutAddress). `ruleId` names the
 * row, or is `none`.
 */
export type Bounce = {
  class: BounceClass;
  kind: 'hard' | 'soft';
  infrastructure: boolean;
  suppresses: boolean;
  permanent: boolean;
  ruleId: string;
};

/**
 * Characters of reply text that rules look at. Refusals say what they mean early; the rest is help text and
 * ids.
 */
export const MAX_CLASSIFIED_CHARS = 1500;

/** Classifies one refusal. Pure; linear in the text, which is cut at MAX_CLASSIFIED_CHARS. */
export function classifyBounce(input: BounceInput): Bounce {
  const inner = findQuoted(input.reply);
  const outermost = inner === null ? null : classifyOne(input);
  const innermost = inner === null ? null : classifyOne({ ...input, reply: inner });
  if (outermost === null || innermost === null || innermost.class === 'uncategorized')
    return outermost ?? classifyOne(input);
  // What the host in front of us answered says whether the message may be tried again.
  const final = outermost.permanent && innermost.permanent;
  return {
    ...innermost,
    kind: final ? innermost.kind : 'soft',
    suppresses: final && innermost.suppresses,
    permanent: outermost.permanent,
  };
}

function classifyOne(input: BounceInput): Bounce {
  const said = normalise(input.reply.text);
  const bare = said.replace(ADDRESS_OR_URL, ' ').replace(/ {2,}/g, ' ').trim();
  const rule = BOUNCE_RULES.find((row) => matches(row, input, said, bare));
  const bounceClass = rule?.class ?? 'uncategorized';
  const facts = BOUNCE_CLASSES[bounceClass];
  const permanent = isPermanent(input, facts.kind);
  const final = permanent && isAboutAddress(bounceClass, rule, input);
  return {
    class: bounceClass,
    kind: final ? facts.kind : 'soft',
    infrastructure: facts.infrastructure,
    suppresses: final && facts.suppresses,
    permanent,
    ruleId: rule?.id ?? 'none',
  };
}

// Patterns are written in lower case with single spaces, so that wrapped and shouted replies read the same.
function normalise(text: string): string {
  return text.slice(0, MAX_CLASSIFIED_CHARS).toLowerCase().replace(/\s+/g, ' ').trim();
}

const ADDRESS_OR_URL = /<?[^\s<>@]{1,320}@[^\s<>@]{1,253}>?|https?:\/\/\S{1,1000}/g;

// A reply that quotes the reply of a host behind it (RFC 3463 section 2): the last quoted reply is from the host that failed.
const QUOTED =
  /(?:\b(?:said|says|replied|responded|replies|reply|response|returned|answered|error|transcript)\b[^\d\n]{0,60}|-> ?)['"<([]{0,2}([45]\d\d)[ -]['"]?\s{0,8}(?:#?([45]\.\d{1,3}\.\d{1,3})(?![.\d])[ :;-]?)?/gi;

function findQuoted({ text, command, enhanced }: Refusal): Refusal | null {
  const match = [...text.slice(0, MAX_CLASSIFIED_CHARS).matchAll(QUOTED)].at(-1);
  if (match === undefined) return null;
  const said = text.slice(match.index + match[0].length);
  return { code: Number(match[1]), enhanced: match[2] ?? enhanced, text: said, command: command ?? null };
}

function matches(rule: BounceRule, input: BounceInput, said: string, bare: string): boolean {
  const { code, enhanced } = input.reply;
  if (rule.stage !== undefined && rule.stage !== (input.stage ?? 'smtp')) return false;
  if (rule.command !== undefined && !rule.command.includes(commandOf(input) ?? 'QUIT')) return false;
  if (rule.code !== undefined && !rule.code.test(code === null ? '' : String(code))) return false;
  if (rule.enhanced !== undefined && !rule.enhanced.test(enhanced ?? '')) return false;
  if (rule.host !== undefined && !rule.host.test((input.host ?? '').toLowerCase())) return false;
  if (rule.bareText !== undefined && !rule.bareText.test(bare)) return false;
  return rule.text === undefined || rule.text.test(said);
}

const ADDRESS_CODE = /^5\.1\.(?:[1236]|10|351)$/; // RFC 3463 section 3.2; the last is Exchange Online's
const OTHER_SUBJECT = /^5\.(?:[13467]\.[1-9]|2\.|3\.)/; // a code that says more than x.0.0 and x.5.0, and another thing

// Whether the address itself was refused. No answer to EHLO or MAIL says anything about a recipient. Once the message
// was seen, "no such user" may be a rule of that user. Where nobody says what was refused, it takes a code of the
// address, or a whole sentence of the host that keeps the mailboxes: gateways say "user unknown" of anything.
function isAboutAddress(bounceClass: BounceClass, rule: BounceRule | undefined, input: BounceInput): boolean {
  const command = commandOf(input);
  if (command !== null && !ABOUT_RECIPIENT.includes(command)) return false;
  if (bounceClass !== 'invalid_recipient') return true;
  const { code, enhanced } = input.reply;
  if (rule?.looksUpLate) return code !== null || rule.sentence === true;
  if (command === 'RCPT' || rule?.enhanced !== undefined || ADDRESS_CODE.test(enhanced ?? '')) return true;
  return command === null && rule?.sentence === true && !OTHER_SUBJECT.test(enhanced ?? '');
}

const ABOUT_RECIPIENT: readonly SmtpCommand[] = ['RCPT', 'DATA', 'DOT'];

function commandOf({ command, reply }: BounceInput): SmtpCommand | null {
  return command ?? reply.command ?? null;
}

// Without any code: a report that says "failed" means it, a name that is not there will not be there in an
// hour, and every other failure of ours or of the network may pass.
function isPermanent({ reply, stage }: BounceInput, kind: 'hard' | 'soft'): boolean {
  if (reply.code !== null) return reply.code >= 500;
  if (reply.enhanced !== null) return reply.enhanced.startsWith('5');
  return stage === 'dsn' || (stage === 'dns' && kind === 'hard');
}
