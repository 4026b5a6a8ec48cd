// DATA (RFC 5321 section 4.1.1.4): what came is submitted as every other send is, and 250 follows its COMMIT.

import { createHash } from 'node:crypto';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';

import { nowDate } from '../../core/base/clock.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { SenderClient } from '../../core/clients/sender.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import { readHeaderSection } from '../../core/mail/raw/header-section.ts';
import { isInLoop, MAX_RAW_OCTETS } from '../../core/mail/raw/read-raw.ts';
import { shortenLines } from '../../core/mail/raw/shorten-lines.ts';
import { parseRawInput, type RawOptions } from '../../core/message/raw-input.ts';
import type { ParsedSend } from '../../core/message/send-input.ts';
import { submitMessage } from '../../core/message/submit-message.ts';
import { HungUp, isHangUp, Refusal } from '../../core/smtp-server/refusal.ts';
import { readControlFields } from './control-fields.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { acceptedText, badMessage, toRefusal } from './replies.ts';
import type { SignIn } from './sign-in.ts';
import { tooBusy } from './start-data.ts';

/** What DATA needs. */
export interface DataDeps {
  sender: SenderClient;
  signIn: SignIn;
  memory: MemoryBudget;
  fail: Fail;
}

/** Resolves with the text behind 250; throws a Refusal for anything else. */
export async function onData(
  deps: DataDeps,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<string> {
  const rcptTo = session.envelope.rcptTo.map(({ address }) => address);
  const data = await receive(deps, stream, session);
  const principal = await deps.signIn.keyOf(session); // taking a large message in may have lasted minutes
  deps.fail('submission.before-submit');
  const fields = readControlFields(data);
  if (!fields.ok) throw badMessage(fields.details);
  refuseLoop(fields.raw);
  const parsed = parse(fields.raw, rcptTo, fields.options);
  if (!parsed.ok) throw badMessage(parsed.details);
  const answer = await submitMessage(deps.sender.inBucket(principal.tenant.bucket), {
    tenantId: principal.tenantId,
    onlyDomain: principal.onlyDomain,
    input: parsed.input,
    origin: 'submission',
    ...(fields.key !== null && { idempotency: { key: keyOf(fields.key, rcptTo), bodyHash: hashOf(data) } }),
  });
  deps.fail('submission.before-reply');
  if (!answer.ok) throw toRefusal(answer);
  return acceptedText(answer, rcptTo);
}

function refuseLoop(raw: Buffer): void {
  const read = readHeaderSection(raw);
  if (read.ok && isInLoop(read.section)) throw new Refusal(554, '5.4.6 This message is in a loop');
}

// After a failure the rest is read and discarded: the client gets the answer only after its final dot.
async function receive(
  { memory }: DataDeps,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let refusal: Refusal | null = null;
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      if (refusal) continue;
      size += bytes.length;
      if (size > MAX_RAW_OCTETS) refusal = new Refusal(552, '5.3.4 The message is larger than 25 MiB');
      else if (!memory.take(session, bytes.length)) refusal = tooBusy();
      else parts.push(bytes);
      if (refusal) parts = [];
      if (refusal) memory.release(session);
    }
  } catch (error) {
    throw isHangUp(error) ? new HungUp() : error;
  }
  if (refusal) throw refusal;
  return Buffer.concat(parts, size);
}

// Mail that is refused is read again with its long lines shortened: what is well-formed is not searched for them twice.
function parse(raw: Buffer, rcptTo: string[], options: RawOptions): ParsedSend {
  const parsed = parseRawInput(raw, rcptTo, options, nowDate());
  if (parsed.ok) return parsed;
  const short = shortenLines(raw);
  if (!short.ok) return { ok: false, details: [{ path: 'raw', message: short.problem }] };
  return short.raw === raw ? parsed : parseRawInput(short.raw, rcptTo, options, nowDate());
}

// A relay hands one message over in several transactions, each for some of its recipients (50 at a time with Postfix). Each of them has
// its own key, derived from the key in the header and the set of recipients.
function keyOf(key: string, rcptTo: string[]): string {
  const recipients = [...new Set(rcptTo.map(normalizeEmail))].toSorted();
  return `smtp-${createHash('sha256')
    .update(JSON.stringify([key, recipients]))
    .digest('base64url')}`;
}

// What makes two submissions of one key the same: every octet.
function hashOf(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
