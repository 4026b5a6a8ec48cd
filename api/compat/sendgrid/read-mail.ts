// A body of POST /v3/mail/send as messages to submit: one for each personalization, checked by the schema of every API.
// Problems are named by the fields of the body that was sent.

import type { FieldProblem } from '../../../core/base/errors.ts';
import { checkValue, type Checked } from '../../../core/base/field-problems.ts';
import { checkAttachments } from '../../../core/message/attachment-input.ts';
import { countRecipients } from '../../../core/message/mailbox-input.ts';
import { parseSendInput, type SendInput } from '../../../core/message/send-input.ts';
import { RATE_LIMITS } from '../../rate-limit.ts';
import { SEND_BODY_BYTES } from '../../read-body.ts';
import { MAX_PERSONALIZATIONS, mailBody, type MailBody } from './mail-body.ts';
import { settingProblems } from './settings.ts';
import { isSandbox, toSend, type SharedParts } from './to-send.ts';

/** The mail of one request: all of it is accepted or none. */
export interface Mail {
  /** Check only, accept nothing. */
  sandbox: boolean;
  inputs: SendInput[];
}

/** The mail, or everything that is wrong with it. */
export function readMail(raw: unknown, now: Date): Checked<Mail> {
  const checked = checkValue(mailBody, raw);
  if (!checked.ok) return checked;
  const body = checked.value;
  const shared = readShared(body);
  const problems = [...settingProblems(body), ...bodyProblems(body)];
  if (!shared.ok) problems.push(...shared.details);
  if (problems.length > 0 || !shared.ok) return { ok: false, details: problems };
  const inputs: SendInput[] = [];
  let bytes = 0;
  for (const index of body.personalizations.keys()) {
    const read = readOne(body, index, shared.value, now);
    if (read.ok) inputs.push(read.value);
    else problems.push(...read.details);
    // Substitutions can make megabytes of a few octets, for each of a thousand.
    bytes += read.ok ? Buffer.byteLength(`${read.value.html ?? ''}${read.value.text ?? ''}`) : 0;
    if (bytes > SEND_BODY_BYTES) problems.push({ path: 'personalizations', message: TOO_LARGE });
    if (problems.length >= MAX_PROBLEMS || bytes > SEND_BODY_BYTES) break;
  }
  if (problems.length > 0) return { ok: false, details: problems };
  return { ok: true, value: { sandbox: isSandbox(body), inputs } };
}

/** How many recipients an unchecked body names, for the rate limit: at least 1, and 1 for one that is refused. */
export function countMail(raw: unknown): number {
  const list = (raw as { personalizations?: unknown } | null)?.personalizations;
  if (!Array.isArray(list) || list.length > MAX_PERSONALIZATIONS) return 1;
  const count = list.reduce<number>((sum, one) => sum + countOne(one), 0);
  return count > RATE_LIMITS.send ? 1 : Math.max(1, count);
}

// A content of this type is an invitation: an attachment of ours that is no file.
const CALENDAR = 'text/calendar';

const TOO_LARGE = 'are too many for content and attachments so large (15 MiB for all together): split it';

const MAX_PROBLEMS = 50; // the first ones are enough to start with

// Characters of subject and content, times those of the texts to look for in them: at worst 0.3 s.
const MAX_STEPS = 300_000_000;

function readOne(body: MailBody, index: number, shared: SharedParts, now: Date): Checked<SendInput> {
  const send = toSend(body, index, shared);
  if (!send.ok) return send;
  const parsed = parseSendInput(send.value.raw, now);
  if (parsed.ok) return { ok: true, value: parsed.input };
  return { ok: false, details: parsed.details.map(send.value.rename) };
}

function countOne(raw: unknown): number {
  if (typeof raw !== 'object' || raw === null) return 1;
  const { to, cc, bcc } = raw as Record<string, unknown>;
  return countRecipients({ to: emailsOf(to) ?? [], cc: emailsOf(cc), bcc: emailsOf(bcc) });
}

function emailsOf(list: unknown): unknown[] | undefined {
  return Array.isArray(list) ? list.map((one) => (one as { email?: unknown } | null)?.email) : undefined;
}

function bodyProblems(body: MailBody): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const { personalizations, content, sections } = body;
  const recipients = personalizations.reduce((sum, one) => sum + countOne(one), 0);
  if (recipients > RATE_LIMITS.send)
    problems.push({
      path: 'personalizations',
      message: `has ${recipients} recipients, and a key may send to ${RATE_LIMITS.send} in 60 seconds: split it`,
    });
  if (substitutionSteps(body) > MAX_STEPS)
    problems.push({ path: 'personalizations', message: 'have too many substitutions for content so large' });
  if (sections && Object.keys(sections).length > 0)
    problems.push({ path: 'sections', message: 'is not supported: write them into the substitutions' });
  const types = (content ?? []).map(({ type }) => mediaType(type));
  for (const [i, type] of types.entries()) {
    if (!CONTENT_TYPES.includes(type))
      problems.push({ path: `content[${i}].type`, message: `must be ${CONTENT_TYPES.join(', ')}` });
    else if (types.indexOf(type) < i)
      problems.push({ path: `content[${i}].type`, message: 'is given twice' });
  }
  return problems;
}

const CONTENT_TYPES = ['text/plain', 'text/html', CALENDAR];

function substitutionSteps({ subject: shared, content, personalizations }: MailBody): number {
  const chars = (content ?? []).reduce((sum, one) => sum + one.value.length, 0);
  return personalizations.reduce((sum, { subject, substitutions }) => {
    const sought = Object.keys(substitutions ?? {}).reduce((all, name) => all + name.length, 0);
    return sum + (chars + (subject ?? shared ?? '').length) * sought;
  }, 0);
}

// Attachments are decoded once, however many messages they go with.
function readShared(body: MailBody): Checked<SharedParts> {
  const { content, attachments: given } = body;
  const invitations = (content ?? []).filter(({ type }) => mediaType(type) === CALENDAR);
  const raw = [
    ...(given ?? []).map((one) => ({
      filename: one.filename,
      content: one.content,
      ...(one.type && { content_type: one.type }),
      ...(one.disposition === 'inline' && one.content_id && { content_id: one.content_id }),
    })),
    ...invitations.map(({ type, value }) => ({
      filename: 'invite.ics',
      content: Buffer.from(value),
      content_type: type.trim(),
      alternative: true,
    })),
  ];
  const checked = checkValue(checkAttachments, raw);
  if (!checked.ok)
    return {
      ok: false,
      details: checked.details.map(({ path, message }) => ({ path: attachmentPath(path), message })),
    };
  const attachments = checked.value;
  const indexOf = (type: string) => (content ?? []).findIndex((one) => mediaType(one.type) === type);
  const html = indexOf('text/html');
  const text = indexOf('text/plain');
  const bytes =
    attachments.reduce((sum, one) => sum + one.content.length, 0) +
    (content ?? []).reduce((sum, one) => sum + Buffer.byteLength(one.value), 0);
  if (bytes * body.personalizations.length > SEND_BODY_BYTES)
    return { ok: false, details: [{ path: 'personalizations', message: TOO_LARGE }] };
  return { ok: true, value: { attachments, html, text } };
}

function mediaType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}

function attachmentPath(path: string): string {
  return `attachments${path.replace('content_type', 'type')}`;
}
