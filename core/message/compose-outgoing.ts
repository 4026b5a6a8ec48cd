// Turns a message into what goes over the wire: rendered, composed, signed, with its return path. Senders use it to deliver
// messages, the api to show them.
// The same message gives the same bytes on every attempt, but for the time in its signature.

import { isAscii } from 'node:buffer';

import { deriveKeys } from '../base/secrets.ts';
import { toId } from '../base/ids.ts';
import type { Config } from '../base/config.ts';
import type { TraceContext } from '../base/trace.ts';
import { OutgoingMessage } from '../gen/sender/v1/sender.ts';
import { parseMailbox } from '../mail/address.ts';
import { composeMessage, joinMessage } from '../mail/compose/compose.ts';
import { signMessage, type DkimKey } from '../mail/compose/dkim.ts';
import {
  feedbackId,
  isUnsubscribeField,
  placeUnsubscribeUrl,
  UNSUBSCRIBE_VARIABLE,
} from '../mail/compose/list-headers.ts';
import { mailDate } from '../mail/compose/headers.ts';
import type { ComposedMessage, MessageContent, OwnFields } from '../mail/compose/message-content.ts';
import { makeMessageId } from '../mail/compose/message-id.ts';
import { composeRaw } from '../mail/raw/compose-raw.ts';
import { toSevenBit } from '../mail/raw/seven-bit.ts';
import { readHeaderSection, type HeaderSection } from '../mail/raw/header-section.ts';
import { rewriteHtml } from '../mail/raw/rewrite-html.ts';
import { makeReturnPath } from '../mail/return-path.ts';
import type { Claim } from './claim.ts';
import { offersUnsubscribe } from './outgoing.ts';
import { unpackContent } from './stored-content.ts';

/** What goes over the wire. `message` has CRLF line ends only; dots are stuffed on the way. */
export interface Envelope {
  mailFrom: string;
  rcptTo: string;
  /** An address or the header is not ASCII: the peer must offer SMTPUTF8 (RFC 6531). */
  smtputf8: boolean;
  /** The body is not ASCII: the peer must offer 8BITMIME (RFC 6152), or gets what `toSevenBit` makes. */
  eightBit: boolean;
  message: Buffer;
  /** The message for a peer without 8BITMIME, signed; null where it cannot be converted. For mail of 8 bits. */
  toSevenBit?: () => Promise<Buffer | null>;
}

/** What signing for a domain needs. */
export interface SigningIdentity {
  name: string;
  returnPathDomain: string;
  cfblAddress: string | null;
  trackingDomain: string | null;
  dkimKeys: readonly Omit<DkimKey, 'domain'>[];
}

/** The words of a message, once its template is rendered. */
export interface Words {
  subject: string;
  html: string;
  text: string;
}

/** Renders one version of a template. A failure is the template's own: the same input fails again. */
export type Render = (
  template: { tenantId: string; templateId: string; version: number },
  variables: Record<string, unknown>,
) => Promise<({ ok: true } & Words) | { ok: false; reason: string }>;

/** A message as its links need it. */
export interface Linked extends Claim {
  trackingHost: string | null;
}

/** The plain text of an HTML that came without one; empty when there is none to be had. Throws `unavailable`. */
type TextOf = (tenantId: string, html: string) => Promise<string>;

/** Adds to the HTML what follows opens and clicks. */
type Decorate = (
  claim: Linked,
  wishes: { trackOpens?: boolean | undefined; trackClicks?: boolean | undefined },
  html: string,
) => string;

/** The link with which the recipient leaves. */
type UnsubscribeUrl = (claim: Linked) => string;

/** What composing needs. */
export interface ComposeDeps {
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'PUBLIC_URL'>;
  render: Render;
  textOf: TextOf;
  decorate?: Decorate | undefined;
  unsubscribeUrl?: UnsubscribeUrl | undefined;
}

/**
 * An envelope to send, with the words before links of ours came into the HTML (null: they are in the ready-made mail), and
 * whether suppressions of marketing mail stop it; or why the message can never be one. `trace`: where it was made, when
 * that is traced.
 */
export type Composed = { trace?: TraceContext | undefined } & (
  | { ok: true; envelope: Envelope; words: Words | null; offersUnsubscribe: boolean }
  | { ok: false; reason: 'content_missing' | 'render_failed'; detail: string }
);

/** Composes and signs. Keys are derived once, here. */
export function createComposer(deps: ComposeDeps) {
  const [returnPathKey] = deriveKeys(deps.config, 'return-path');
  const submissionHost = new URL(deps.config.PUBLIC_URL).hostname;

  return async function composeOutgoing(
    claimed: Claim,
    domain: SigningIdentity,
    now: Date,
  ): Promise<Composed> {
    const claim: Linked = { ...claimed, trackingHost: domain.trackingDomain };
    if (claim.content.length === 0)
      return { ok: false, reason: 'content_missing', detail: 'no stored content' };
    const message = OutgoingMessage.decode(await unpackContent(claim.content));
    const canLeave = claim.campaignId !== null || message.unsubscribe;
    const unsubscribeUrl = canLeave ? deps.unsubscribeUrl?.(claim) : undefined;
    const own: OwnFields = {
      ...(claim.origin === 'submission' && { received: receivedBy(submissionHost, claim) }),
      ...ownFields(claim, domain, unsubscribeUrl),
    };
    const made =
      message.raw.length > 0
        ? makeFromRaw(message, own, trackerOf(claim))
        : await makeFromParts(claim, message, own, unsubscribeUrl);
    const { trace } = message;
    if (!made.ok) return { ...made, trace };
    const { composed, words, ownUnsubscribe } = made;
    const keys = domain.dkimKeys.map((key) => ({ ...key, domain: domain.name }));
    const sign = async (one: ComposedMessage) =>
      joinMessage(await signMessage(one, keys, { timestamp: Math.floor(now.getTime() / 1000) }), one);
    const mailFrom = makeReturnPath({
      messageId: claim.id,
      key: returnPathKey,
      domain: domain.returnPathDomain,
    });
    const eightBit = !isAscii(composed.body);
    const envelope: Envelope = {
      mailFrom,
      rcptTo: claim.rcptTo,
      smtputf8: composed.smtputf8 || !isAscii(Buffer.from(claim.rcptTo)),
      eightBit,
      message: await sign(composed),
      ...(eightBit && {
        toSevenBit: async () => {
          const narrow = toSevenBit(composed);
          return narrow && sign(narrow);
        },
      }),
    };
    return {
      ok: true,
      envelope,
      words,
      offersUnsubscribe: offersUnsubscribe(message, ownUnsubscribe),
      trace,
    };
  };

  function trackerOf(claim: Linked): Track | undefined {
    const { decorate } = deps;
    return decorate && ((html, wishes) => decorate(claim, wishes, html));
  }

  async function makeFromParts(
    claim: Linked,
    message: OutgoingMessage,
    own: OwnFields,
    unsubscribeUrl: string | undefined,
  ): Promise<Made> {
    const rendered = await wordsOf(deps.render, claim, message, unsubscribeUrl);
    if (!rendered.ok) return { ok: false, reason: 'render_failed', detail: rendered.reason };
    const { subject, html } = rendered;
    const text = rendered.text || (html === '' ? '' : await deps.textOf(claim.tenantId, html));
    const decorated = deps.decorate?.(claim, message, html) ?? html;
    const composed = await composeMessage({
      ...contentOf(claim, message, { subject, html: decorated, text }),
      ...own,
    });
    const ownUnsubscribe = message.headers.some(({ name }) => isUnsubscribeField(name));
    return { ok: true, composed, words: { subject, html, text }, ownUnsubscribe };
  }
}

type Made =
  | { ok: true; composed: ComposedMessage; words: Words | null; ownUnsubscribe: boolean }
  | Extract<Composed, { ok: false }>;

const ADDED_BY_TRACKING = 1; // field: the transfer encoding, where there was none

type Track = (html: string, wishes: { trackOpens: boolean; trackClicks: boolean }) => string;

// Opens and clicks of ready-made mail are followed only where that was asked for: the author's bytes change for it.
function makeFromRaw(message: OutgoingMessage, own: OwnFields, track: Track | undefined): Made {
  const { raw, trackOpens = false, trackClicks = false } = message;
  const written = readStored(raw);
  const ownUnsubscribe = written.fields.some(({ lower }) => isUnsubscribeField(lower));
  const made = (composed: ComposedMessage): Made => ({ ok: true, composed, words: null, ownUnsubscribe });
  if (!track || !(trackOpens || trackClicks)) return made(composeRaw(raw, written, own));
  const tracked = rewriteHtml(raw, written, (html, isFirst) =>
    track(html, { trackOpens: trackOpens && isFirst, trackClicks }),
  );
  return made(composeRaw(tracked, readStored(tracked, ADDED_BY_TRACKING), own));
}

// Whatever was given under the name of the link, the recipient gets the link.
async function wordsOf(
  render: Render,
  claim: Claim,
  message: OutgoingMessage,
  unsubscribeUrl: string | undefined,
): ReturnType<Render> {
  const { subject, templateId, variables } = message;
  if (templateId === '' || claim.templateVersion === null) {
    const place = (words: string) =>
      unsubscribeUrl === undefined ? words : placeUnsubscribeUrl(words, unsubscribeUrl);
    return { ok: true, subject, html: place(message.html), text: place(message.text) };
  }
  const all =
    unsubscribeUrl === undefined ? variables : { ...variables, [UNSUBSCRIBE_VARIABLE]: unsubscribeUrl };
  const rendered = await render(
    { tenantId: claim.tenantId, templateId, version: claim.templateVersion },
    all ?? {},
  );
  return rendered.ok && subject !== '' ? { ...rendered, subject } : rendered;
}

function contentOf(
  claim: Claim,
  message: OutgoingMessage,
  words: Words,
): Omit<MessageContent, keyof OwnFields> {
  return {
    from: mailbox(claim.headerFrom),
    to: message.to.map(mailbox),
    ...(message.cc.length === 0 ? {} : { cc: message.cc.map(mailbox) }),
    replyTo: message.replyTo.map(mailbox),
    subject: words.subject,
    html: words.html,
    text: words.text,
    headers: message.headers,
    attachments: message.attachments.map(({ filename, content, contentType, contentId, alternative }) => ({
      filename,
      content,
      alternative,
      ...(contentType === '' ? {} : { contentType }),
      ...(contentId === '' ? {} : { contentId }),
    })),
  };
}

function ownFields(claim: Claim, domain: SigningIdentity, unsubscribeUrl: string | undefined): OwnFields {
  return {
    messageId: makeMessageId(claim.groupId ?? claim.id, domain.name),
    date: claim.createdAt,
    feedbackId: feedbackId({
      campaign: claim.campaignId === null ? '' : toId('cmp', claim.campaignId),
      tenant: toId('tnt', claim.tenantId),
      stream: claim.stream,
      sender: 'postrider',
    }),
    ...(domain.cfblAddress === null ? {} : { cfblAddress: domain.cfblAddress }),
    // RFC 8058 section 3.1: one click needs https.
    ...(unsubscribeUrl?.startsWith('https://') ? { unsubscribeUrl } : {}),
  };
}

// Of a message over SMTP (RFC 5321 section 4.4), without the address of its client: that is the customer's own network.
function receivedBy(host: string, { id, createdAt }: Claim): string {
  return `by ${host} with ESMTPSA id ${toId('msg', id)}; ${mailDate(createdAt)}`;
}

// Addresses were checked when the message was accepted; one that no longer parses is a bug, and says so.
function mailbox(text: string): { address: string; name?: string } {
  const parsed = parseMailbox(text);
  if (!parsed.ok) throw new RangeError(`a stored address does not parse: ${parsed.reason}`);
  const { email, display } = parsed.address;
  return display === undefined ? { address: email } : { address: email, name: display };
}

// Mail was read when it was accepted, and so was its header.
function readStored(raw: Buffer, added = 0): HeaderSection {
  const read = readHeaderSection(raw, added);
  if (!read.ok) throw new RangeError(`stored mail cannot be read: ${read.problem}`);
  return read.section;
}
