// Turns a claimed message into what goes over the wire: rendered, composed, signed, with its return path.
// The same message gives the same bytes on every attempt, but for the time in its signature.

import { isAscii } from 'node:buffer';

import { deriveKeys } from '../../core/base/secrets.ts';
import { toId } from '../../core/base/ids.ts';
import type { Config } from '../../core/base/config.ts';
import type { TraceContext } from '../../core/base/trace.ts';
import { OutgoingMessage } from '../../core/gen/sender/v1/sender.ts';
import { parseMailbox } from '../../core/mail/address.ts';
import { composeMessage, joinMessage } from '../../core/mail/compose/compose.ts';
import { signMessage, type DkimKey } from '../../core/mail/compose/dkim.ts';
import { feedbackId, UNSUBSCRIBE_VARIABLE } from '../../core/mail/compose/list-headers.ts';
import type { ComposedMessage, MessageContent, OwnFields } from '../../core/mail/compose/message-content.ts';
import { makeMessageId } from '../../core/mail/compose/message-id.ts';
import { composeRaw } from '../../core/mail/raw/compose-raw.ts';
import { readHeaderSection, type HeaderSection } from '../../core/mail/raw/header-section.ts';
import { rewriteHtml } from '../../core/mail/raw/rewrite-html.ts';
import { makeReturnPath } from '../../core/mail/return-path.ts';
import type { Claim } from '../../core/message/claim.ts';
import { unpackContent } from '../../core/message/stored-content.ts';
import { placeUnsubscribeUrl } from '../../core/tracking/unsubscribe-url.ts';
import type { Envelope } from '../smtp/transact.ts';

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

/** Adds what follows opens and clicks. */
export type Decorate = (
  claim: Linked,
  wishes: { trackOpens?: boolean | undefined; trackClicks?: boolean | undefined },
  words: { html: string; text: string },
) => { html: string; text?: string };

/** The link with which the recipient leaves. */
export type UnsubscribeUrl = (claim: Linked) => string;

/** What composing needs. */
export interface ComposeDeps {
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
  render: Render;
  decorate?: Decorate | undefined;
  unsubscribeUrl?: UnsubscribeUrl | undefined;
}

/**
 * An envelope to send, with the words before links of ours came into the HTML (null: they are in the ready-made mail); or
 * why the message can never be one. `trace`: where it was made, when that is traced.
 */
export type Composed = { trace?: TraceContext | undefined } & (
  | { ok: true; envelope: Envelope; words: Words | null }
  | { ok: false; reason: 'content_missing' | 'render_failed'; detail: string }
);

/** Composes and signs. Keys are derived once, here. */
export function createComposer(deps: ComposeDeps) {
  const [returnPathKey] = deriveKeys(deps.config, 'return-path');

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
    const own = ownFields(claim, domain, unsubscribeUrl);
    const made =
      message.raw.length > 0
        ? makeFromRaw(message, own, trackerOf(claim))
        : await makeFromParts(claim, message, own, unsubscribeUrl);
    const { trace } = message;
    if (!made.ok) return { ...made, trace };
    const { composed, words } = made;
    const keys = domain.dkimKeys.map((key) => ({ ...key, domain: domain.name }));
    const signatures = await signMessage(composed, keys, { timestamp: Math.floor(now.getTime() / 1000) });
    const mailFrom = makeReturnPath({
      messageId: claim.id,
      key: returnPathKey,
      domain: domain.returnPathDomain,
    });
    const envelope = {
      mailFrom,
      rcptTo: claim.rcptTo,
      smtputf8: composed.smtputf8 || !isAscii(Buffer.from(claim.rcptTo)),
      eightBit: !isAscii(composed.body),
      message: joinMessage(signatures, composed),
    };
    return { ok: true, envelope, words, trace };
  };

  // A text that is not empty: none is to be made from the HTML.
  function trackerOf(claim: Linked): Track | undefined {
    const { decorate } = deps;
    return decorate && ((html, wishes) => decorate(claim, wishes, { html, text: ' ' }).html);
  }

  async function makeFromParts(
    claim: Linked,
    message: OutgoingMessage,
    own: OwnFields,
    unsubscribeUrl: string | undefined,
  ): Promise<Made> {
    const rendered = await wordsOf(deps.render, claim, message, unsubscribeUrl);
    if (!rendered.ok) return { ok: false, reason: 'render_failed', detail: rendered.reason };
    const words = { ...rendered, ...deps.decorate?.(claim, message, rendered) };
    const composed = await composeMessage({ ...contentOf(claim, message, words), ...own });
    return { ok: true, composed, words: { ...words, html: rendered.html } };
  }
}

type Made = { ok: true; composed: ComposedMessage; words: Words | null } | Extract<Composed, { ok: false }>;

const ADDED_BY_TRACKING = 1; // field: the transfer encoding, where there was none

type Track = (html: string, wishes: { trackOpens: boolean; trackClicks: boolean }) => string;

// Opens and clicks of ready-made mail are followed only where that was asked for: the author's bytes change for it.
function makeFromRaw(message: OutgoingMessage, own: OwnFields, track: Track | undefined): Made {
  const { raw, trackOpens = false, trackClicks = false } = message;
  const written = readStored(raw);
  if (!track || !(trackOpens || trackClicks))
    return { ok: true, composed: composeRaw(raw, written, own), words: null };
  const tracked = rewriteHtml(raw, written, (html, isFirst) =>
    track(html, { trackOpens: trackOpens && isFirst, trackClicks }),
  );
  return {
    ok: true,
    composed: composeRaw(tracked, readStored(tracked, ADDED_BY_TRACKING), own),
    words: null,
  };
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
  return render({ tenantId: claim.tenantId, templateId, version: claim.templateVersion }, all ?? {});
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
    ...(message.replyTo === '' ? {} : { replyTo: mailbox(message.replyTo) }),
    subject: words.subject,
    html: words.html,
    text: words.text,
    headers: message.headers,
    attachments: message.attachments.map(({ filename, content, contentType, contentId }) => ({
      filename,
      content,
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
