// sendBulkEmail and getBulkEmailStatus: content once, with a list of recipients and what is theirs. All are accepted or none.

import { z } from 'zod';

import { AppError, notFound } from '../../../core/base/errors.ts';
import { checkValue, type Checked } from '../../../core/base/field-problems.ts';
import { fromId, newUuid, toId, uuidTimeMs } from '../../../core/base/ids.ts';
import { selectMessage } from '../../../core/message/message-store.ts';
import { toRefusal } from '../../../core/message/submission.ts';
import { submitBatch } from '../../../core/message/submit-message.ts';
import type { Endpoint } from '../../endpoint.ts';
import { SEND_BODY_BYTES } from '../../read-body.ts';
import { boundedList, boundedRecord } from '../bounded-json.ts';
import { defineEndpoint } from '../service.ts';
import { fillModel } from './fill-model.ts';
import { readEmail, type Email } from './read-email.ts';
import { checkList, costOf, renamed } from './send.ts';

type Fields = Record<string, unknown>;

/** Its `Id` is that of the first message, and how many there are. */
const BULK_ID = /^(msg_[0-9a-z]{26})-([1-9]\d{0,2})$/;

/** POST /email/bulk, and GET of what it answered. */
export const BULK_ROUTES: readonly Endpoint[] = [
  defineEndpoint(
    {
      method: 'POST',
      path: '/email/bulk',
      access: 'transactional:send',
      group: 'Messages',
      body: { schema: z.unknown(), check: readBulk, limitBytes: SEND_BODY_BYTES },
      status: 200,
      rateClass: 'send',
      forOneDomain: true,
      cost: (raw) => costOf(messagesOf(raw)),
      idempotency: 'handler',
      rehearse: (emails) => toAnswer(newUuid(), emails),
    },
    async ({ deps, caller: { tenantId, onlyDomain }, body, idempotency }) => {
      const answer = await submitBatch(deps.sender, {
        tenantId,
        onlyDomain,
        messages: body.map(({ input }) => ({ input })),
        allOrNone: true,
        ...(idempotency && { idempotency }),
      });
      if (!answer.ok) throw toRefusal(renamed(answer));
      const [first] = answer.items;
      if (!first?.ok) throw new AppError('internal_error', 'No result for the first message.');
      return { data: toAnswer(first.id, body), replayed: answer.replayed };
    },
  ),
  defineEndpoint(
    {
      method: 'GET',
      path: '/email/bulk/{id}',
      access: 'transactional:read',
      group: 'Messages',
      params: z.object({ id: z.string().regex(BULK_ID) }),
      status: 200,
    },
    async ({ deps, caller: { tenantId }, params: { id } }) => {
      const [, first, total] = BULK_ID.exec(id)!;
      const uuid = fromId('msg', first);
      const message = uuid === null ? null : await selectMessage(deps.db.pool, tenantId, uuid);
      if (!message) throw notFound('bulk request');
      return {
        data: {
          ...idsOf(id),
          SubmittedAt: message.createdAt.toISOString(),
          TotalMessages: Number(total),
          PercentageCompleted: 100,
          Status: 'Completed',
          Subject: message.subject,
        },
      };
    },
  ),
];

// The documentation says ID, the Node client Id.
function idsOf(id: string) {
  return { ID: id, Id: id };
}

function toAnswer(uuid: string, emails: Email[]) {
  return {
    ...idsOf(`${toId('msg', uuid)}-${emails.length}`),
    Status: 'Accepted',
    SubmittedAt: new Date(uuidTimeMs(uuid)).toISOString(),
    TotalMessages: emails.length,
    PercentageCompleted: 0,
    Subject: emails[0]?.input.subject ?? '',
  };
}

function messagesOf(raw: unknown): unknown {
  return (raw as { Messages?: unknown } | null)?.Messages;
}

const texts = z.string().nullish();
const MAX_ITEMS = 1_000; // of any list or object: no more can ever be sent
const fields = boundedRecord(z.unknown(), MAX_ITEMS).nullish();
const headers = boundedList(z.looseObject({ Name: z.string() }), MAX_ITEMS).nullish();
const shared = z.looseObject({
  Subject: texts,
  HtmlBody: texts,
  TextBody: texts,
  Metadata: fields,
  Headers: headers,
  Attachments: boundedList(z.looseObject({ Content: texts }), MAX_ITEMS).nullish(),
});
const own = z.looseObject({ Metadata: fields, Headers: headers, TemplateModel: fields });

function readBulk(raw: unknown): Checked<Email[]> {
  const listed = checkList(messagesOf(raw));
  if (!listed.ok) return listed;
  const checked = checkValue(shared, { ...(raw as Fields), Messages: undefined });
  if (!checked.ok) return checked;
  const { HtmlBody, TextBody, Attachments } = checked.value;
  const octets = [HtmlBody, TextBody, ...(Attachments ?? []).map(({ Content }) => Content)];
  let left = SEND_BODY_BYTES - listed.value.length * octets.reduce((sum, one) => sum + (one?.length ?? 0), 0);
  const emails: Email[] = [];
  for (const [at, one] of listed.value.entries()) {
    if (left < 0) return { ok: false, details: [{ path: 'Messages', message: TOO_LARGE }] };
    const read = readOne(checked.value, one);
    if (!read.ok) return { ok: false, details: read.details.map((problem) => below(at, problem)) };
    emails.push(read.value);
    const { html = '', text = '' } = read.value.input;
    left -= html.length + text.length - (HtmlBody?.length ?? 0) - (TextBody?.length ?? 0);
  }
  return { ok: true, value: emails };
}

const TOO_LARGE = 'are too many for content and attachments so large (15 MiB for all together): split them';

function below(at: number, { path, message }: { path: string; message: string }) {
  return path === '' ? { path, message } : { path: `Messages[${at}].${path}`, message };
}

function readOne(common: z.output<typeof shared>, raw: unknown): Checked<Email> {
  const checked = checkValue(own, raw);
  if (!checked.ok) return checked;
  const { TemplateModel, ...one } = checked.value;
  const names = new Set((one.Headers ?? []).map(({ Name }) => Name.toLowerCase()));
  const email: Fields = {
    ...common,
    ...one,
    Metadata: { ...common.Metadata, ...one.Metadata },
    Headers: [
      ...(common.Headers ?? []).filter(({ Name }) => !names.has(Name.toLowerCase())),
      ...(one.Headers ?? []),
    ],
  };
  if (!TemplateModel || Object.keys(TemplateModel).length === 0) return readEmail(email);
  if (common['TemplateAlias']) return readEmail({ ...email, TemplateModel });
  for (const name of ['Subject', 'HtmlBody', 'TextBody'] as const) {
    const filled = fillModel(common[name] ?? '', TemplateModel, name === 'HtmlBody');
    if (filled === null)
      return {
        ok: false,
        details: [{ path: 'TemplateModel', message: `cannot fill ${name}: ${ONLY_NAMES}` }],
      };
    email[name] = filled;
  }
  return readEmail(email);
}

const ONLY_NAMES = 'only {{ name }} and {{{ name }}} are replaced, up to 5 MiB; use a template for more';
