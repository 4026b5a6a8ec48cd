// Messages: the list, one with its attempts and events, and cancelling one.

import { notFound } from '../../../core/base/errors.ts';
import { fromId, toId } from '../../../core/base/ids.ts';
import { answerOf } from '../../../core/message/answer.ts';
import { cancelMessage } from '../../../core/message/cancel-message.ts';
import { explainMessage } from '../../../core/message/explain.ts';
import { messageFilter } from '../../../core/message/list-input.ts';
import { countMessages, listMessages } from '../../../core/message/list-messages.ts';
import {
  type MessageAttempt,
  type MessageEvent,
  addressesOf,
  type GroupRecipient,
  type MessageSummary,
  selectMessage,
} from '../../../core/message/message-store.ts';
import type { PeerCertificate } from '../../../core/message/outcome.ts';
import type { MessageParts } from '../../../core/message/read-content.ts';
import { rescheduleMessage } from '../../../core/message/reschedule-message.ts';
import { MESSAGE_STATES, type DeferReason } from '../../../core/message/states.ts';
import { expectDelivery } from '../../../core/warmup/expected-delivery.ts';
import { readContent } from '../../read-content.ts';
import type { Builder, QueryArgs } from '../builder.ts';
import { asCaller, changedBy, signedIn, type GraphqlContext } from '../context.ts';
import { connectionCost, resolveById } from '../page.ts';
import { checkInput } from '../check-input.ts';
import { addDecision } from './decision.ts';
import { COUNT_COST, type ListCountTypes } from './list-count.ts';
import { addRecipient, RECIPIENTS_COST } from './recipient.ts';

/** What other types build on. */
export type MessageTypes = ReturnType<typeof addMessageTypes>;

/** Adds Message, `messages`, `messageCount`, `message`, `cancelMessage` and `rescheduleMessage`. */
export function addMessageTypes(builder: Builder, { listCount, ageSort }: ListCountTypes) {
  const recipient = addRecipient(builder);
  const { message, attempt } = addMessage(builder, recipient);
  const status = builder.enumType('MessageStatus', { values: MESSAGE_STATES });

  builder.objectField(message, 'status', (t) => t.expose('status', { type: status }));
  const filters = (t: QueryArgs) => ({
    status: t.arg({ type: status }),
    to: t.arg.string({ description: 'the recipient’s address or a part of it, at least 3 characters' }),
    q: t.arg.string({ description: 'words that are all in the subject' }),
    tag: t.arg.string({ description: 'name, or name=value' }),
    domain: t.arg.string({ description: 'name of the sending domain' }),
    campaignId: t.arg.id(),
    since: t.arg({ type: 'DateTime', description: 'created from this time on' }),
    until: t.arg({ type: 'DateTime', description: 'created before this time' }),
  });
  builder.queryField('messages', (t) =>
    t.connection({
      type: message,
      description: 'Newest first, unless `sort` says otherwise',
      args: { ...filters(t), sort: t.arg({ type: ageSort }) },
      complexity: (args) => connectionCost(args),
      resolve: (_root, { first, last, after, before, sort, ...given }, context) => {
        const filter = readFilter(given);
        return resolveById(
          { first, last, after, before },
          (page) => listMessages(context.deps.db.pool, signedIn(context).tenantId, filter, page),
          sort === 'oldest',
        );
      },
    }),
  );
  builder.queryField('messageCount', (t) =>
    t.field({
      type: listCount,
      nullable: true,
      description: 'How many messages match; null when counting them takes too long',
      args: filters(t),
      complexity: COUNT_COST,
      resolve: (_root, given, context) =>
        countMessages(context.deps.db, signedIn(context).tenantId, readFilter(given)),
    }),
  );
  builder.queryField('message', (t) =>
    t.field({
      type: message,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => requireMessage(context, id),
    }),
  );

  const cancelInput = builder.inputType('CancelMessageInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  const cancelPayload = builder.objectRef<{ message: MessageSummary }>('CancelMessagePayload').implement({
    fields: (t) => ({ message: t.expose('message', { type: message }) }),
  });
  builder.mutationField('cancelMessage', (t) =>
    t.field({
      type: cancelPayload,
      args: { input: t.arg({ type: cancelInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const id = fromId('msg', input.id);
        if (id === null) throw notFound('message');
        await cancelMessage(context.deps, ...asCaller(context), id);
        return { message: await requireMessage(context, input.id) };
      },
    }),
  );
  const rescheduleInput = builder.inputType('RescheduleMessageInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      scheduledAt: t.field({ type: 'DateTime', required: true, description: 'at most 30 days ahead' }),
    }),
  });
  const reschedulePayload = builder
    .objectRef<{ message: MessageSummary }>('RescheduleMessagePayload')
    .implement({ fields: (t) => ({ message: t.expose('message', { type: message }) }) });
  builder.mutationField('rescheduleMessage', (t) =>
    t.field({
      type: reschedulePayload,
      args: { input: t.arg({ type: rescheduleInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const id = fromId('msg', input.id);
        if (id === null) throw notFound('message');
        await rescheduleMessage(context.deps, ...asCaller(context), id, input.scheduledAt);
        return { message: await requireMessage(context, input.id) };
      },
    }),
  );
  return { message, recipient, attempt, messageStatus: status };
}

function readFilter({
  since,
  until,
  ...texts
}: {
  since?: Date | null | undefined;
  until?: Date | null | undefined;
}) {
  return checkInput(messageFilter, {
    ...texts,
    since: since?.toISOString(),
    until: until?.toISOString(),
  });
}

function addMessage(builder: Builder, recipient: ReturnType<typeof addRecipient>) {
  const tag = builder.objectRef<{ name: string; value: string }>('Tag').implement({
    fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
  });
  const certificate = builder.objectRef<PeerCertificate>('PeerCertificate').implement({
    description: 'The certificate that a mail server showed',
    fields: (t) => ({
      subject: t.exposeString('subject'),
      issuer: t.exposeString('issuer'),
      expiresAt: t.field({ type: 'DateTime', resolve: ({ expiresAt }) => new Date(expiresAt) }),
      fingerprint: t.exposeString('fingerprint', { description: 'SHA-256, as in AB:CD:…' }),
    }),
  });
  const source = builder.objectRef<NonNullable<MessageAttempt['source']>>('AttemptSource').implement({
    description: 'The address that an attempt left from, one of a pool',
    fields: (t) => ({
      address: t.exposeString('address'),
      hostname: t.exposeString('hostname', { description: 'Its name in EHLO' }),
    }),
  });
  const attempt = builder.objectRef<MessageAttempt>('Attempt').implement({
    description: 'One delivery attempt, with the server’s reply',
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      durationMs: t.exposeInt('durationMs'),
      mx: t.exposeString('mx', { nullable: true }),
      source: t.expose('source', {
        type: source,
        nullable: true,
        description: 'Null for the system’s own address',
      }),
      tls: t.exposeString('tls', {
        nullable: true,
        description: 'TLS version and cipher; null for plain text',
      }),
      tlsVerified: t.exposeBoolean('tlsVerified', {
        nullable: true,
        description: 'Whether the certificate proved the server; null for plain text',
      }),
      tlsPolicy: t.exposeString('tlsPolicy', {
        nullable: true,
        description:
          'The policy of the recipient’s domain that was enforced: dane or mta_sts; null without one',
      }),
      certificate: t.expose('certificate', { type: certificate, nullable: true }),
      command: t.exposeString('command', {
        nullable: true,
        description: 'The last SMTP command with a reply; DOT is the end of the message',
      }),
      smtpCode: t.exposeInt('smtpCode', { nullable: true }),
      enhancedCode: t.exposeString('enhancedCode', { nullable: true }),
      reply: t.exposeString('reply'),
    }),
  });
  const event = builder.objectRef<MessageEvent>('MessageEvent').implement({
    fields: (t) => ({
      type: t.exposeString('type'),
      occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
      data: t.expose('data', { type: 'JSON' }),
    }),
  });
  const content = addContent(builder);
  const decision = addDecision(builder);
  const message = builder.objectRef<MessageSummary>('Message');
  builder.node(message, {
    id: { resolve: ({ id }) => toId('msg', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'deferReason' in value,
    loadOne: (id, context) => findMessage(context, id),
    fields: (t) => ({
      from: t.exposeString('from'),
      to: t.exposeString('to', { description: 'the recipient of this message' }),
      headerTo: t.stringList({
        description: 'whom the header To names: with one recipient, `to`',
        resolve: async (row, _args, context) =>
          addressesOf(row.to, await recipientsOf(row, context)).headerTo,
      }),
      cc: t.stringList({
        resolve: async (row, _args, context) => addressesOf(row.to, await recipientsOf(row, context)).cc,
      }),
      bcc: t.stringList({
        resolve: async (row, _args, context) => addressesOf(row.to, await recipientsOf(row, context)).bcc,
      }),
      recipients: t.field({
        type: [recipient],
        description: 'all recipients in the order of to, cc, bcc; empty with one',
        complexity: RECIPIENTS_COST,
        resolve: (row, _args, context) => recipientsOf(row, context),
      }),
      subject: t.exposeString('subject'),
      reason: t.exposeString('reason', { nullable: true }),
      deferReason: t.exposeString('deferReason', { nullable: true }),
      deferredUntil: t.expose('deferredUntil', { type: 'DateTime', nullable: true }),
      expectedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description:
          'When it is expected to be delivered, by the forecast of its domain; null when it does not wait, or nobody can say',
        complexity: 20, // counts the mail ahead of it
        resolve: (row, _args, context) =>
          expectDelivery(context.deps.db.pool, signedIn(context).tenantId, row),
      }),
      waiting: t.string({
        nullable: true,
        description: 'Why the message waits and until when, as text',
        resolve: waitingInWords,
      }),
      domain: t.exposeString('domain'),
      campaignId: t.id({
        nullable: true,
        resolve: ({ campaignId }) => (campaignId === null ? null : toId('cmp', campaignId)),
      }),
      templateId: t.id({
        nullable: true,
        resolve: ({ templateId }) => (templateId === null ? null : toId('tpl', templateId)),
      }),
      tags: t.expose('tags', { type: [tag] }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      content: t.field({
        type: content,
        nullable: true,
        description: 'What it says; `gone` once that is not kept any more',
        complexity: 20, // composed anew
        resolve: async ({ id }, _args, context) =>
          (
            await readContent(context.deps, {
              by: changedBy(context),
              tenantId: signedIn(context).tenantId,
              id,
            })
          ).parts(),
      }),
      attempts: t.field({ type: [attempt], resolve: ({ id }, _args, context) => context.attempts.load(id) }),
      decisions: t.field({
        type: [decision],
        description: 'Every decision about it, in order; the last one says where it stands',
        complexity: 20, // read one message at a time
        resolve: async ({ id }, _args, context) =>
          (await explainMessage(context.deps.db.pool, signedIn(context).tenantId, id)) ?? [],
      }),
      answer: t.string({
        description:
          'What happened to it in plain sentences, to forward to who asks; server replies are foreign text',
        complexity: 20, // read one message at a time
        resolve: async (row, _args, context) =>
          answerOf(
            row,
            (await explainMessage(context.deps.db.pool, signedIn(context).tenantId, row.id)) ?? [],
          ),
      }),
      events: t.field({ type: [event], resolve: ({ id }, _args, context) => context.events.load(id) }),
    }),
  });
  return { message, attempt };
}

async function recipientsOf({ groupId }: MessageSummary, context: GraphqlContext): Promise<GroupRecipient[]> {
  return groupId === null ? [] : ((await context.account.recipients.load(groupId)) ?? []);
}

function addContent(builder: Builder) {
  const header = builder.objectRef<MessageParts['headers'][number]>('MessageHeader').implement({
    fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
  });
  const file = builder.objectRef<MessageParts['attachments'][number]>('MessageAttachment').implement({
    fields: (t) => ({
      filename: t.exposeString('filename'),
      contentType: t.exposeString('contentType'),
      sizeBytes: t.exposeInt('sizeBytes'),
    }),
  });
  return builder.objectRef<MessageParts>('MessageContent').implement({
    description: 'What a message says, as it is sent',
    fields: (t) => ({
      subject: t.exposeString('subject'),
      html: t.string({
        nullable: true,
        description: 'Untrusted: as its author wrote it, without the open pixel',
        resolve: ({ html }) => html || null,
      }),
      text: t.string({ nullable: true, resolve: ({ text }) => text || null }),
      headers: t.expose('headers', { type: [header] }),
      attachments: t.expose('attachments', { type: [file] }),
    }),
  });
}

const WAITS: Readonly<Record<DeferReason, string>> = {
  warmup_cap: 'The warm-up cap of the sending domain is reached',
  scheduled: 'Scheduled',
  remote_4xx: 'The server asked to retry',
  network: 'The receiving server could not be reached',
  esp_cap: 'The sub-cap of the route is reached',
  domain_paused: 'The sending domain is paused',
  tenant_suspended: 'The account is suspended',
  tls_policy: 'The receiving server does not meet the TLS policy of its domain',
  brake: 'The same-day brake of the sending domain is on',
  sender_rules: 'The sending domain lacks what large providers require of bulk senders',
  provider_limit: 'The mailbox provider of the recipient takes no more mail for now',
  source_cap: 'The new addresses of the domain’s pool have reached their warm-up cap of the day',
};

function waitingInWords({ status, deferReason, deferredUntil }: MessageSummary): string | null {
  if (status !== 'deferred') return null;
  const why = deferReason === null ? 'Waiting' : WAITS[deferReason];
  const known = deferredUntil !== null && deferredUntil.getTime() < FAR_AWAY;
  return known ? `${why}; next attempt ${inWords(deferredUntil)}` : `${why}; sent when it is resumed`;
}

// "2026-11-21 00:00 UTC": programs have deferredUntil.
function inWords(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const FAR_AWAY = Date.UTC(9999, 0); // how a wait without an end is stored

async function findMessage(context: GraphqlContext, id: string): Promise<MessageSummary | null> {
  const uuid = fromId('msg', id);
  return uuid === null ? null : selectMessage(context.deps.db.pool, signedIn(context).tenantId, uuid);
}

async function requireMessage(context: GraphqlContext, id: string): Promise<MessageSummary> {
  const message = await findMessage(context, id);
  if (!message) throw notFound('message');
  return message;
}
