// A message between the API surfaces and the record: what a caller asked (SendInput), what travels and is stored
// (sender.v1.OutgoingMessage), and what the accepting transaction needs of it (NewMessage).

import { fromId, toId } from '../base/ids.ts';
import type { FieldProblem } from '../base/errors.ts';
import { sampledContext } from '../base/trace.ts';
import { OutgoingMessage, Stream } from '../gen/sender/v1/sender.ts';
import { isUnsubscribeField, UNSUBSCRIBE_VARIABLE } from '../mail/compose/list-headers.ts';
import { fieldsNamed, readHeaderSection, withoutFields } from '../mail/raw/header-section.ts';
import { idInGroup } from './group-id.ts';
import type { AddressField } from './mailbox-input.ts';
import { ORIGINS, type Origin } from './origin.ts';
import { parseEnvelopeInput, parseSendInput, type ParsedSend, type SendInput } from './send-input.ts';
import type { NewMessage, NewRecipient } from './submission.ts';

/** What campaigns add to a message. */
export interface CampaignOrigin {
  campaignId: string;
  contactId: string;
}

/** The travelling form of an input. */
export function toOutgoing(
  input: SendInput,
  campaign?: CampaignOrigin,
  origin: Origin = campaign ? 'campaign' : 'api',
): OutgoingMessage {
  return {
    from: input.from.text,
    to: textsOf(input, 'to'),
    cc: textsOf(input, 'cc'),
    bcc: textsOf(input, 'bcc'),
    subject: input.raw ? '' : input.subject,
    html: input.html ?? '',
    text: input.text ?? '',
    raw: input.raw ?? Buffer.alloc(0),
    templateId: input.templateId === undefined ? '' : toId('tpl', input.templateId),
    variables: input.variables,
    replyTo: input.replyTo?.map(({ text }) => text) ?? [],
    headers: input.headers,
    tags: input.tags,
    attachments: input.attachments.map((one) => ({
      filename: one.filename,
      content: one.content,
      contentType: one.contentType ?? '',
      contentId: one.contentId ?? '',
      alternative: one.alternative ?? false,
    })),
    scheduledAt: input.scheduledAt,
    trackOpens: input.trackOpens,
    trackClicks: input.trackClicks,
    unsubscribe: input.unsubscribe ?? false,
    esp: input.esp ?? '',
    stream: campaign ? Stream.STREAM_BULK : Stream.STREAM_TRANSACTIONAL,
    campaignId: campaign ? toId('cmp', campaign.campaignId) : '',
    contactId: campaign ? toId('con', campaign.contactId) : '',
    confidential: false,
    trace: undefined,
    origin,
  };
}

function textsOf({ recipients }: SendInput, field: AddressField): string[] {
  return recipients.filter((one) => one.field === field).map((one) => one.text);
}

/** What somebody would ask to get this message again, or what is wrong with it by now. */
export function toSendInput(outgoing: OutgoingMessage, now: Date): ParsedSend {
  const parse = outgoing.raw.length > 0 ? parseEnvelopeInput : parseSendInput;
  return parse(toRaw(outgoing), now);
}

/** The message to accept, or what is wrong with it: anyone with the internal token may call, so all is checked. */
export type ReadOutgoing = { ok: true; message: NewMessage } | { ok: false; details: FieldProblem[] };

/** Checks what travelled, by the same schema as every API surface, and prepares it for the record under the given id. */
export function readOutgoing(id: string, outgoing: OutgoingMessage, now: Date): ReadOutgoing {
  const parsed = toSendInput(outgoing, now);
  if (!parsed.ok) return parsed;
  const { input } = parsed;
  const campaignId = fromId('cmp', outgoing.campaignId);
  const contactId = fromId('con', outgoing.contactId);
  if (outgoing.campaignId !== '' && campaignId === null)
    return problem('campaign_id', 'is not a campaign id');
  if (outgoing.contactId !== '' && contactId === null) return problem('contact_id', 'is not a contact id');
  const origin = readOrigin(outgoing);
  if (origin === undefined) return problem('origin', `must be one of ${ORIGINS.join(', ')}`);
  if (campaignId !== null && input.raw) return problem('raw', 'cannot be combined with campaign_id');
  if (campaignId !== null && input.headers.some(({ name }) => isUnsubscribeField(name)))
    return problem('headers', 'List-Unsubscribe of a campaign is ours');
  // What every recipient's copy is made from: it names nobody of Bcc.
  const trace = sampledContext(outgoing.trace);
  const stored = { ...outgoing, to: textsOf(input, 'to'), cc: textsOf(input, 'cc'), bcc: [], trace };
  const message: NewMessage = {
    id,
    domain: input.from.address.domain,
    headerFrom: input.from.text,
    sender:
      input.senderDomain === undefined
        ? null
        : { domain: input.senderDomain, isRaw: input.raw !== undefined },
    recipients: recipientsOf(id, input),
    subject: input.subject,
    stream: outgoing.stream === Stream.STREAM_BULK ? 'bulk' : 'transactional',
    offersUnsubscribe: offersUnsubscribe(outgoing, input.ownUnsubscribe ?? false),
    origin,
    templateId: input.templateId ?? null,
    variables:
      input.unsubscribe === true
        ? { ...input.variables, [UNSUBSCRIBE_VARIABLE]: '' }
        : (input.variables ?? {}),
    scheduledAt: input.scheduledAt ?? null,
    esp: input.esp ?? null,
    tags: input.tags,
    campaignId,
    contactId,
    content: Buffer.from(OutgoingMessage.encode(stored).finish()),
    confidential: outgoing.confidential,
    trace,
  };
  return { ok: true, message };
}

/**
 * Whether suppressions of marketing mail stop a message: campaign mail, and mail with our unsubscribe link or a
 * List-Unsubscribe of its own (`ownUnsubscribe`), in its headers or in ready-made mail.
 */
export function offersUnsubscribe(
  { stream, campaignId, unsubscribe }: Pick<OutgoingMessage, 'stream' | 'campaignId' | 'unsubscribe'>,
  ownUnsubscribe: boolean,
): boolean {
  return stream === Stream.STREAM_BULK || campaignId !== '' || unsubscribe || ownUnsubscribe;
}

/** The content of ready-made mail without its field Sender. */
export function withoutSender(content: Buffer): Buffer {
  const outgoing = OutgoingMessage.decode(content);
  const raw = octetsOf(outgoing.raw);
  const read = readHeaderSection(raw);
  if (!read.ok) throw new RangeError(`checked mail cannot be read: ${read.problem}`);
  const stripped = withoutFields(raw, fieldsNamed(read.section, 'sender'));
  return Buffer.from(OutgoingMessage.encode({ ...outgoing, raw: stripped }).finish());
}

function readOrigin({ origin, campaignId }: OutgoingMessage): Origin | undefined {
  if (origin === '') return campaignId === '' ? 'api' : 'campaign';
  return ORIGINS.find((one) => one === origin);
}

function recipientsOf(id: string, { recipients }: SendInput): NewRecipient[] {
  return recipients.map(({ field, key, address }, place) => ({
    id: place === 0 ? id : idInGroup(id, place, key),
    field,
    rcptTo: address.email,
    recipientKey: key,
  }));
}

// proto3 has no "absent" for texts: an empty one is one that was not given, but for the subject, which may be empty.
function toRaw(outgoing: OutgoingMessage): Record<string, unknown> {
  const { to, cc, bcc } = outgoing;
  const raw: Record<string, unknown> = { to: to.length === 1 ? to[0] : to };
  if (outgoing.raw.length > 0) raw['raw'] = octetsOf(outgoing.raw);
  else if (outgoing.templateId === '' || outgoing.subject !== '') raw['subject'] = outgoing.subject;
  if (cc.length > 0) raw['cc'] = cc;
  if (bcc.length > 0) raw['bcc'] = bcc;
  const texts = {
    from: outgoing.from,
    html: outgoing.html,
    text: outgoing.text,
    template_id: outgoing.templateId,
    esp: outgoing.esp,
  };
  for (const [name, value] of Object.entries(texts)) if (value !== '') raw[name] = value;
  if (outgoing.variables !== undefined) raw['variables'] = outgoing.variables;
  if (outgoing.replyTo.length > 0)
    raw['reply_to'] = outgoing.replyTo.length === 1 ? outgoing.replyTo[0] : outgoing.replyTo;
  if (outgoing.headers.length > 0) raw['headers'] = outgoing.headers;
  if (outgoing.tags.length > 0) raw['tags'] = outgoing.tags;
  if (outgoing.scheduledAt !== undefined) raw['scheduled_at'] = outgoing.scheduledAt.toISOString();
  if (outgoing.trackOpens !== undefined) raw['track_opens'] = outgoing.trackOpens;
  if (outgoing.trackClicks !== undefined) raw['track_clicks'] = outgoing.trackClicks;
  if (outgoing.unsubscribe) raw['unsubscribe'] = true;
  if (outgoing.attachments.length > 0) raw['attachments'] = outgoing.attachments.map(toRawAttachment);
  return raw;
}

function octetsOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function toRawAttachment(one: OutgoingMessage['attachments'][number]): Record<string, unknown> {
  return {
    filename: one.filename,
    content: Buffer.from(one.content),
    ...(one.contentType === '' ? {} : { content_type: one.contentType }),
    ...(one.contentId === '' ? {} : { content_id: one.contentId }),
    ...(one.alternative && { alternative: true }),
  };
}

function problem(path: string, message: string): ReadOutgoing {
  return { ok: false, details: [{ path, message }] };
}
