// Mail of this service itself to people: from SYSTEM_MAIL_FROM, sent by the tenant that has its domain verified, over the
// same way as all mail.

import type { Config } from '../base/config.ts';
import { nowDate } from '../base/clock.ts';
import { problemSentence } from '../base/errors.ts';
import { trimEnd } from '../base/trim-end.ts';
import type { SenderClient } from '../clients/sender.ts';
import type { Database } from '../db/pool.ts';
import { parseSendInput, type SendInput } from '../message/send-input.ts';
import { submitBatch } from '../message/submit-message.ts';
import type { Accepted, IdempotencyKey, Refused } from '../message/submission.ts';
import type { SystemKind } from '../message/origin.ts';
import { systemDomain } from '../system-mail/system-domain.ts';
import { selectVerifiedOwner } from './invitation-store.ts';

/** What writing such mail needs. */
export interface SystemWriterDeps {
  db: Pick<Database, 'pool'>;
  config: Pick<Config, 'PUBLIC_URL' | 'SYSTEM_MAIL_FROM'>;
}

/** What it says. Without `html` it is plain text. */
export interface SystemLetter {
  to: string | string[];
  subject: string;
  text: string;
  html?: string;
}

/** A mail that is ready to send, and the tenant that sends it. */
export interface ReadyMail {
  tenantId: string;
  input: SendInput;
}

/** Why there is no mail; `isTemporary` if it can be sent later. */
interface Unsendable {
  ok: false;
  why: string;
  isTemporary: boolean;
}

/** The mail, or why there is none. */
export type WrittenMail = ({ ok: true } & ReadyMail) | Unsendable;

/** Who sends, or why nobody can. */
type SystemSender = { ok: true; from: string; tenantId: string } | Unsendable;

const MAX_SUBJECT_CHARS = 200; // names of customers are in it

/** Finds the sender of this service's own mail. */
export async function findSystemSender({ db, config }: SystemWriterDeps): Promise<SystemSender> {
  const from = config.SYSTEM_MAIL_FROM;
  const domain = systemDomain(config);
  if (from === undefined || domain === null) return unsendable('SYSTEM_MAIL_FROM is not set');
  const tenantId = await selectVerifiedOwner(db.pool, domain);
  if (tenantId === null)
    return unsendable(`the domain of SYSTEM_MAIL_FROM, ${domain}, is not verified`, true);
  return { ok: true, from, tenantId };
}

function unsendable(why: string, isTemporary = false): Unsendable {
  return { ok: false, why, isTemporary };
}

/** Writes a mail: nothing in it is tracked. */
export async function writeSystemMail(deps: SystemWriterDeps, letter: SystemLetter): Promise<WrittenMail> {
  const system = await findSystemSender(deps);
  if (!system.ok) return system;
  const subject = letter.subject.slice(0, MAX_SUBJECT_CHARS);
  const fields = { ...letter, subject, from: system.from, track_opens: false, track_clicks: false };
  const parsed = parseSendInput(fields, nowDate());
  if (!parsed.ok) return unsendable(problemSentence(parsed.details));
  return { ok: true, tenantId: system.tenantId, input: parsed.input };
}

/**
 * Sends it. Under an id or an idempotency key a second try sends nothing twice. Nobody of the tenant that sends it can
 * read it: the links in it open accounts of others.
 */
export async function submitSystemMail(
  sender: Pick<SenderClient, 'sendBatch'>,
  kind: SystemKind,
  { tenantId, input }: ReadyMail,
  once: { id: string } | { idempotency: IdempotencyKey },
): Promise<Accepted | Refused> {
  const answer = await submitBatch(sender, {
    onlyDomain: null,
    tenantId,
    messages: [{ input, ...('id' in once && once) }],
    ...('idempotency' in once && once),
    confidential: true,
    origin: kind,
  });
  return answer.ok ? answer.items[0]! : answer;
}

/** A page of the dashboard, for links in mail. */
export function pageUrl({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, path: `/${string}`): string {
  return trimEnd(PUBLIC_URL, '/') + path;
}
