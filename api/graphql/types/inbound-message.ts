// Received mail. All of it is untrusted input: it is shown, never trusted.

import { notFound } from '../../../core/base/errors.ts';
import {
  NOT_SCANNED_REASONS,
  SCAN_OFF,
  SCAN_VERDICTS,
  type ScanResult,
} from '../../../core/db/schema/inbound.ts';
import { toId } from '../../../core/base/ids.ts';
import {
  listInbound,
  selectInbound,
  type InboundMessage,
  type InboundSummary,
} from '../../../core/inbound/message-store.ts';
import { deleteMessage, markMessage } from '../../../core/inbound/messages.ts';
import type { ShownDelivery } from '../../../core/webhook/shown-store.ts';
import { noteInboundRead } from '../../read-content.ts';
import type { Builder } from '../builder.ts';
import { asCaller, changedBy, signedIn, type GraphqlContext } from '../context.ts';
import { connectionCost, resolveOlder } from '../page.ts';
import { requireId } from '../check-input.ts';
import type { DeletePayload } from './deleted.ts';

const MAX_QUERY_CHARS = 500;

/** Adds InboundMessage, its queries and its mutations. */
export function addInboundMessageTypes(builder: Builder, deleted: DeletePayload): void {
  const message = addMessage(builder);
  builder.queryField('inboundMessages', (t) =>
    t.connection({
      type: message,
      description: 'Newest first',
      args: {
        mailboxId: t.arg.id(),
        read: t.arg.boolean(),
        junk: t.arg.boolean(),
        q: t.arg.string({ description: 'words to search for in the subject, the addresses and the text' }),
      },
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) => {
        const filter = {
          mailboxId: args.mailboxId ? requireId('mbx', args.mailboxId, 'mailbox') : null,
          read: args.read ?? undefined,
          junk: args.junk ?? undefined,
          q: args.q?.slice(0, MAX_QUERY_CHARS) || undefined,
        };
        return resolveOlder(args, (page) =>
          listInbound(context.deps.db.pool, signedIn(context).tenantId, { ...page, ...filter }),
        );
      },
    }),
  );
  builder.queryField('inboundMessage', (t) =>
    t.field({
      type: message,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => readMessage(context, id),
    }),
  );
  const payload = builder.objectRef<{ inboundMessage: InboundSummary }>('InboundMessagePayload').implement({
    fields: (t) => ({ inboundMessage: t.expose('inboundMessage', { type: message }) }),
  });
  const markInput = builder.inputType('MarkInboundMessageInput', {
    fields: (t) => ({ id: t.id({ required: true }), read: t.boolean({ required: true }) }),
  });
  builder.mutationField('markInboundMessage', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: markInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await markMessage(context.deps.db, signedIn(context).tenantId, idOf(input.id), input.read);
        return { inboundMessage: await readMessage(context, input.id) };
      },
    }),
  );
  const deleteInput = builder.inputType('DeleteInboundMessageInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('deleteInboundMessage', (t) =>
    t.field({
      type: deleted,
      description: 'A webhook delivery in progress continues',
      args: { input: t.arg({ type: deleteInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await deleteMessage(context.deps, ...asCaller(context), idOf(input.id));
        return { id: input.id };
      },
    }),
  );
}

function addMessage(builder: Builder) {
  const header = builder.objectRef<InboundMessage['headers'][number]>('Header').implement({
    fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
  });
  const attachment = builder.objectRef<InboundSummary['attachments'][number]>('InboundAttachment').implement({
    description: 'Download with REST: /mail/messages/{id}/attachments/{index}',
    fields: (t) => ({
      index: t.exposeInt('index'),
      filename: t.exposeString('filename', { nullable: true }),
      contentType: t.exposeString('content_type'),
      sizeBytes: t.exposeInt('size_bytes'),
    }),
  });
  const auth = builder.objectRef<InboundSummary['auth']>('MailAuth').implement({
    description: 'The SPF, DKIM, DMARC and ARC results: recorded, never enforced',
    fields: (t) => ({
      spf: t.exposeString('spf', { nullable: true }),
      dkim: t.exposeString('dkim', { nullable: true }),
      dmarc: t.exposeString('dmarc', { nullable: true }),
      arc: t.string({
        nullable: true,
        description: 'null where no server on the way sealed the message (RFC 8617)',
        resolve: (results) => results?.arc ?? null,
      }),
    }),
  });
  const scan = addScan(builder);
  const delivery = builder.objectRef<ShownDelivery>('InboundDelivery').implement({
    description: 'A delivery to the webhook',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('dlv', id) }),
      state: t.exposeString('state', { description: 'pending, accepted or dead' }),
      attempts: t.exposeInt('attempts'),
      nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true }),
      lastStatusCode: t.exposeInt('lastStatusCode', { nullable: true }),
      lastError: t.exposeString('lastError', { nullable: true }),
    }),
  });
  const message = builder.objectRef<InboundSummary>('InboundMessage');
  builder.node(message, {
    id: { resolve: ({ id }) => toId('inm', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'envelopeFrom' in value,
    loadOne: (id, context) => readMessage(context, id),
    fields: (t) => ({
      mailboxId: t.id({
        nullable: true,
        resolve: ({ mailboxId }) => (mailboxId === null ? null : toId('mbx', mailboxId)),
      }),
      envelopeFrom: t.exposeString('envelopeFrom', { description: 'MAIL FROM; empty for the null sender' }),
      recipient: t.exposeString('recipient', { description: 'RCPT TO' }),
      from: t.exposeString('from', { nullable: true }),
      to: t.exposeStringList('to'),
      cc: t.exposeStringList('cc'),
      subject: t.exposeString('subject', { nullable: true }),
      date: t.expose('date', { type: 'DateTime', nullable: true }),
      text: t.string({
        nullable: true,
        resolve: async (self, _args, context) => (await bodies(context, self)).text,
      }),
      html: t.string({
        nullable: true,
        description: 'Unchanged and untrusted',
        resolve: async (self, _args, context) => (await bodies(context, self)).html,
      }),
      headers: t.field({
        type: [header],
        resolve: async (self, _args, context) => (await bodies(context, self)).headers,
      }),
      attachments: t.expose('attachments', { type: [attachment] }),
      auth: t.expose('auth', { type: auth, nullable: true }),
      autoSubmitted: t.exposeBoolean('autoSubmitted', { description: 'Sent automatically (RFC 3834)' }),
      parseError: t.exposeString('parseError', {
        nullable: true,
        description: 'Why it could not be parsed, or that it has several From; the raw message is complete',
      }),
      read: t.exposeBoolean('read'),
      junk: t.exposeBoolean('junk', {
        description: 'Spam or a virus, at a domain whose spam policy is mark or refuse',
      }),
      scan: t.field({ type: scan, resolve: (self) => self.scan ?? SCAN_OFF }),
      sizeBytes: t.exposeInt('sizeBytes'),
      receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
      deliveries: t.field({
        type: [delivery],
        resolve: async ({ id }, _args, context) => (await context.account.deliveries.load(id)) ?? [],
      }),
    }),
  });
  return message;
}

function addScan(builder: Builder) {
  const verdict = builder.enumType('ScanVerdict', { values: SCAN_VERDICTS });
  const reason = builder.enumType('NotScannedReason', { values: NOT_SCANNED_REASONS });
  const symbol = builder.objectRef<ScanResult['symbols'][number]>('ScanSymbol').implement({
    description: 'A rule that matched',
    fields: (t) => ({ name: t.exposeString('name'), score: t.exposeFloat('score') }),
  });
  return builder.objectRef<ScanResult>('InboundScan').implement({
    description: 'What the scanner (rspamd) said of an inbound message',
    fields: (t) => ({
      verdict: t.expose('verdict', { type: verdict }),
      reason: t.expose('reason', {
        type: reason,
        nullable: true,
        description: 'Why it was not scanned; null when it was',
      }),
      score: t.exposeFloat('score', { nullable: true }),
      requiredScore: t.exposeFloat('required_score', {
        nullable: true,
        description: 'The score from which the scanner rejects',
      }),
      action: t.exposeString('action', {
        nullable: true,
        description: 'What rspamd advises: no action, add header, reject …',
      }),
      virus: t.exposeString('virus', { nullable: true, description: 'The name of the virus' }),
      symbols: t.expose('symbols', {
        type: [symbol],
        description: 'The ten rules that matched with the largest scores',
      }),
    }),
  });
}

type Bodies = Pick<InboundMessage, 'text' | 'html' | 'headers'>;

async function bodies(context: GraphqlContext, { id }: InboundSummary): Promise<Bodies> {
  const found = await context.account.inboundBodies.load(id);
  if (!found) return { text: null, html: null, headers: [] };
  const { tenantId } = signedIn(context);
  await noteInboundRead(context.deps, { by: changedBy(context), tenantId, id });
  return found;
}

async function readMessage(context: GraphqlContext, id: string): Promise<InboundMessage> {
  const message = await selectInbound(context.deps.db.pool, signedIn(context).tenantId, idOf(id));
  if (!message) throw notFound('message');
  return message;
}

function idOf(id: string): string {
  return requireId('inm', id, 'message');
}
