// A plain answer about a message, to forward to whoever asks where it is: what happened when, and what the servers said. Made of
// its decisions (core/message/explain.ts). Caps, tiers and other matters between the tenant and us are not in it.

import { toId } from '../base/ids.ts';
import type { Decision } from './explain.ts';
import { saidBy, textOf, timeOf, utc } from './explain-words.ts';
import type { MessageSummary } from './message-store.ts';
import type { MessageState } from './states.ts';

const MAX_REPLY_CHARS = 400; // a reply may have thousands (RFC 5321 section 4.5.3.1.5: 512 octets a line)

/** The answer: lines of text. Server replies are foreign text. */
export function answerOf(
  { id, from, to, subject }: Pick<MessageSummary, 'id' | 'from' | 'to' | 'subject'>,
  decisions: readonly Decision[],
): string {
  const head = `The message ${subject === '' ? '' : `“${subject}” `}from ${from} to ${to}:`;
  const lines = decisions.flatMap((decision, n) => {
    const words = sentenceOf(decision, decisions[n - 1]);
    return words === null ? [] : [`- ${utc(decision.at)}: ${words}${timesWords(decision)}`];
  });
  const last = decisions.at(-1);
  const end = last === undefined ? [] : [endOf(last)];
  return [head, ...lines, ...end, `Reference: ${toId('msg', id)}`].join('\n');
}

function sentenceOf({ rule, inputs, outcome }: Decision, before: Decision | undefined): string | null {
  const mx = textOf(inputs, 'mx');
  const server = mx === '' ? 'the recipient’s mail server' : `the recipient’s mail server ${mx}`;
  switch (rule) {
    case 'accepted':
      return 'We accepted it for delivery.';
    case 'scheduled':
      return `It was scheduled for ${utc(timeOf(inputs, 'scheduled_at'))}.`;
    case 'delivered':
      return `${capital(server)} accepted it${answered(inputs)}`;
    case 'retry':
      return 'smtp_code' in inputs
        ? `${capital(server)} asked us to try again later${answered(inputs)}`
        : `We could not deliver it to ${server}${because(inputs)}`;
    case 'bounced':
      return 'smtp_code' in inputs
        ? `${capital(server)} refused it for good${answered(inputs)}`
        : `It could not be delivered to ${server}${because(inputs)}`;
    case 'returned':
      return `It was returned after its delivery: “${short(textOf(inputs, 'diagnostic', 'without a reason'))}”.`;
    case 'expired':
      return 'We gave up: it could not be delivered in time.';
    case 'suppressed':
      return 'We did not send it: the address is on the list of addresses that get no mail from this sender.';
    case 'cancelled':
      return 'The sender cancelled it.';
    default:
      if (outcome.state === 'dropped') return 'It was not sent, because of an error on the sender’s side.';
      // Why it waits in our queue is the sender's matter; that it did is told once.
      if (outcome.state !== 'deferred' || before?.outcome.state === 'deferred') return null;
      return before === undefined ? 'We accepted it, and it waited in our queue.' : 'It waited in our queue.';
  }
}

const ENDS: Record<Exclude<MessageState, 'deferred'>, string> = {
  queued: 'It is being sent now.',
  sending: 'It is being sent now.',
  delivered:
    'The mail server of the recipient has it. If it is not in the inbox, please look into the spam folder, or show the lines above to whoever runs that mail server.',
  bounced:
    'It is not tried again. Please check the address, or show the lines above to whoever runs that mail server.',
  expired: 'It is not tried again. Whoever runs that mail server can tell why it took no mail.',
  dropped: 'The recipient did not get it.',
  cancelled: 'The recipient did not get it.',
};

function endOf({ outcome: { state, until } }: Decision): string {
  if (state !== 'deferred') return ENDS[state];
  return until === null
    ? 'It waits to be sent.'
    : `It is tried again or sent at ${utc(until)}, or soon after.`;
}

function answered(inputs: Decision['inputs']): string {
  const said = short(saidBy(inputs));
  return said === '' ? '.' : ` and answered: “${said}”.`;
}

function because(inputs: Decision['inputs']): string {
  const said = short(saidBy(inputs)).replace(/\.$/, '');
  return said === '' ? '.' : `: ${said}.`;
}

function timesWords({ inputs: { times, since } }: Decision): string {
  if (typeof times !== 'number' || typeof since !== 'string') return '';
  return ` (${times} times since ${utc(new Date(since))})`;
}

function short(text: string): string {
  return text.length <= MAX_REPLY_CHARS ? text : `${text.slice(0, MAX_REPLY_CHARS).toWellFormed()} …`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
