// sendEmail, sendEmailBatch, sendEmailWithTemplate and sendEmailBatchWithTemplates.

import { z } from 'zod';

import { nowDate } from '../../../core/base/clock.ts';
import { AppError, invalidFields, problemSentence } from '../../../core/base/errors.ts';
import type { Checked } from '../../../core/base/field-problems.ts';
import { newUuid, toId, uuidTimeMs } from '../../../core/base/ids.ts';
import type { Accepted, Refused } from '../../../core/message/submission.ts';
import { toRefusal } from '../../../core/message/submission.ts';
import { submitBatch, submitMessage } from '../../../core/message/submit-message.ts';
import type { Endpoint } from '../../endpoint.ts';
import { RATE_LIMITS } from '../../rate-limit.ts';
import { SEND_BODY_BYTES } from '../../read-body.ts';
import { defineEndpoint } from '../service.ts';
import { toErrorBody, type PostmarkError } from './errors.ts';
import { countEmail, readEmail, rename, type Email } from './read-email.ts';

/** Emails of one batch; Postmark's number. */
const MAX_BATCH = 500;

const INACTIVE = 406;

/** Clients read the addresses between their own words and these. */
const INACTIVE_WORDS =
  'Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.';

/** POST of one email, and of a batch, each with content or with a template. */
export const SEND_ROUTES: readonly Endpoint[] = [
  sendOne('/email'),
  sendOne('/email/withTemplate'),
  sendMany('/email/batch', (raw) => raw),
  sendMany('/email/batchWithTemplates', (raw) => (raw as { Messages?: unknown } | null)?.Messages),
];

function sendOne(path: `/${string}`): Endpoint {
  return defineEndpoint(
    {
      method: 'POST',
      path,
      access: 'transactional:send',
      group: 'Messages',
      body: { schema: z.unknown(), check: readEmail, limitBytes: SEND_BODY_BYTES },
      status: 200,
      rateClass: 'send',
      forOneDomain: true,
      cost: countEmail,
      idempotency: 'handler',
      rehearse: toTestAnswer,
    },
    async ({ deps, caller: { tenantId, onlyDomain }, body, idempotency }) => {
      const answer = await submitMessage(deps.sender, {
        tenantId,
        onlyDomain,
        input: body.input,
        ...(idempotency && { idempotency }),
      });
      if (!answer.ok) throw toRefusal(renamed(answer));
      const data = toAnswer(body, answer);
      return { data, replayed: answer.replayed, ...(data.ErrorCode === INACTIVE && { status: 422 }) };
    },
  );
}

function sendMany(path: `/${string}`, listOf: (raw: unknown) => unknown): Endpoint {
  return defineEndpoint(
    {
      method: 'POST',
      path,
      access: 'transactional:send',
      group: 'Messages',
      body: { schema: z.unknown(), check: (raw) => checkList(listOf(raw)), limitBytes: SEND_BODY_BYTES },
      status: 200,
      rateClass: 'send',
      forOneDomain: true,
      cost: (raw) => costOf(listOf(raw)),
      idempotency: 'handler',
      rehearse: (body) => body.map((one) => answerTo(readEmail(one), toTestAnswer)),
    },
    async ({ deps, caller: { tenantId, onlyDomain }, body, idempotency }) => {
      const read = body.map(readEmail);
      const good = read.flatMap((one) => (one.ok ? [one.value] : []));
      let answers: (Accepted | Refused)[] = [];
      let replayed = false;
      if (good.length > 0) {
        const messages = good.map(({ input }) => ({ input }));
        const answer = await submitBatch(deps.sender, {
          tenantId,
          onlyDomain,
          messages,
          ...(idempotency && { idempotency }),
        });
        if (!answer.ok) throw toRefusal(renamed(answer));
        ({ items: answers, replayed } = answer);
      }
      const next = answers.values();
      const data = read.map((one) => answerTo(one, (email) => toItem(email, next.next().value)));
      return { data, replayed };
    },
  );
}

function answerTo(read: Checked<Email>, answer: (email: Email) => unknown): unknown {
  return read.ok ? answer(read.value) : toErrorBody(invalidFields(read.details));
}

function toTestAnswer({ written }: Email): PostmarkError & Record<string, unknown> {
  return {
    ...written,
    SubmittedAt: nowDate().toISOString(),
    MessageID: toId('msg', newUuid()),
    ErrorCode: 0,
    Message: 'Test job accepted',
  };
}

/** The emails of a request, or why it may not have so many. */
export function checkList(list: unknown): Checked<unknown[]> {
  const refuse = (message: string): Checked<unknown[]> => ({
    ok: false,
    details: [{ path: 'Messages', message }],
  });
  if (!Array.isArray(list)) return refuse('must be an array');
  if (list.length < 1 || list.length > MAX_BATCH) return refuse(`must be 1 to ${MAX_BATCH} emails`);
  const recipients = totalOf(list);
  if (recipients <= RATE_LIMITS.send) return { ok: true, value: list };
  return refuse(
    `have ${recipients} recipients, and a key may send to ${RATE_LIMITS.send} in 60 seconds: split them`,
  );
}

/** How many requests the emails of a request count as. */
export function costOf(list: unknown): number {
  if (!Array.isArray(list) || list.length > MAX_BATCH) return 1;
  const recipients = totalOf(list);
  return recipients > RATE_LIMITS.send ? 1 : Math.max(1, recipients);
}

function totalOf(list: unknown[]): number {
  return list.reduce<number>((sum, one) => sum + countEmail(one), 0);
}

function toItem(email: Email, answer: Accepted | Refused | undefined) {
  if (!answer) return toErrorBody(new AppError('internal_error', 'No result for this message.'));
  return answer.ok ? toAnswer(email, answer) : toErrorBody(renamed(answer));
}

/** A refusal with its fields as Postmark's. */
export function renamed(refused: Refused): Refused {
  if (!refused.details) return refused;
  const details = refused.details.map((one) => rename(one));
  return { ...refused, details, message: problemSentence(details) };
}

// Recipients that are suppressed are an error where they are all, and a note where some are not, as at Postmark.
function toAnswer({ input, written }: Email, accepted: Accepted): PostmarkError & Record<string, unknown> {
  const all = accepted.recipients ?? [{ email: input.recipients[0]!.address.email, status: accepted.status }];
  const inactive = all.filter(({ status }) => status === 'dropped').map(({ email }) => email);
  if (inactive.length === all.length) {
    const Message =
      'You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: ' +
      `${inactive.join(', ')}. ${INACTIVE_WORDS}`;
    return { ErrorCode: INACTIVE, Message };
  }
  return {
    ...written,
    // From the id, so that a repeated request under one Idempotency-Key gets the same answer.
    SubmittedAt: new Date(uuidTimeMs(accepted.id)).toISOString(),
    MessageID: toId('msg', accepted.id),
    ErrorCode: 0,
    Message:
      inactive.length === 0
        ? 'OK'
        : `Message OK, but will not deliver to these inactive addresses: ${inactive.join(', ')}. ${INACTIVE_WORDS}`,
  };
}
