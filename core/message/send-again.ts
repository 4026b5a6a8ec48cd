// Sends what a message says once more, as a new message: to its recipient, or to another address to look at it there.
//
// The words are those of the version of the template that it was sent with. Links of ours (opens, clicks, unsubscribing) are the
// new message's own: who tries one in a copy does nothing to the first recipient. It goes through the one way to submit mail, with its
// checks, the cap and the quota. Mail of a campaign goes again as a single message, which the campaign does not count, and
// keeps its way to unsubscribe.
//
// Dies after the message is accepted: it is sent, and its row of the audit log is missing.

import type { Actor } from '../audit/actor.ts';
import { change, type LiveChangeDeps } from '../audit/change.ts';
import { nowDate } from '../base/clock.ts';
import { AppError, invalidFields } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { SenderClient } from '../clients/sender.ts';
import { Stream, type OutgoingMessage } from '../gen/sender/v1/sender.ts';
import { normalizeEmail, parseMailbox } from '../mail/address.ts';
import { UNSUBSCRIBE_VARIABLE } from '../mail/compose/list-headers.ts';
import { gone, readKept, type ReadableMessage } from './kept-message.ts';
import { toSendInput } from './outgoing.ts';
import type { IdempotencyKey } from './submission.ts';
import { submitMessage, type SubmitAnswer } from './submit-message.ts';

/** What it needs. */
export interface SendAgainDeps extends LiveChangeDeps {
  sender: SenderClient;
  /** Renders a version of a template. */
  renderer: {
    render(
      tenantId: string,
      templateId: string,
      version: number,
      variables: Record<string, unknown>,
    ): Promise<{ ok: true; subject: string; html: string; text: string } | { ok: false; reason: string }>;
  };
}

/** What to send again. */
export interface SendAgain {
  id: string;
  /** Another address than the recipient's. */
  to?: string | undefined;
  idempotency?: IdempotencyKey | undefined;
}

/** Sends it. Throws not_found, gone when the content is not kept or confidential, validation_failed. */
export async function sendAgain(
  deps: SendAgainDeps,
  by: Actor,
  tenantId: string,
  { id, to, idempotency }: SendAgain,
): Promise<SubmitAnswer> {
  const kept = await readKept(deps.db.pool, tenantId, id);
  const again = {
    ...(await wordsOf(deps, tenantId, kept)),
    ...copyFor(kept, to ?? recipientOf(kept)),
  };
  const parsed = toSendInput(again, nowDate());
  if (!parsed.ok) throw invalidFields(parsed.details);
  const answer = await submitMessage(deps.sender, {
    tenantId,
    onlyDomain: null,
    input: parsed.input,
    ...(idempotency && { idempotency }),
  });
  if (answer.ok && !answer.replayed)
    await change(deps, by, (_client, record) =>
      record({
        tenantId,
        action: 'message.sent_again',
        subject: toId('msg', answer.id),
        topic: 'messages',
        details: { of: toId('msg', id), to: again.to[0] },
      }),
    );
  return answer;
}

// As its header named the recipient; who was in Bcc, or in the envelope of ready-made mail alone, has an address only.
function recipientOf({ message, stored }: ReadableMessage): string {
  const key = normalizeEmail(message.rcptTo);
  const isRecipient = (text: string) => {
    const parsed = parseMailbox(text);
    return parsed.ok && normalizeEmail(parsed.address) === key;
  };
  return [...stored.to, ...stored.cc].find(isRecipient) ?? message.rcptTo;
}

function copyFor(
  { message, stored }: ReadableMessage,
  to: string,
): Partial<OutgoingMessage> & { to: string[] } {
  return {
    to: [to],
    cc: [],
    bcc: [],
    scheduledAt: undefined,
    stream: Stream.STREAM_TRANSACTIONAL,
    campaignId: '',
    contactId: '',
    unsubscribe: stored.unsubscribe || message.campaignId !== null,
  };
}

// A template is rendered here, with the name of the link in place of the link: what is no template names it in the same way.
async function wordsOf(
  { renderer }: SendAgainDeps,
  tenantId: string,
  { message, stored }: ReadableMessage,
): Promise<OutgoingMessage> {
  const { templateId, variables } = stored;
  if (templateId === '' || message.templateVersion === null) return stored;
  const canLeave = message.campaignId !== null || stored.unsubscribe;
  const all = canLeave
    ? { ...variables, [UNSUBSCRIBE_VARIABLE]: `{{ ${UNSUBSCRIBE_VARIABLE} }}` }
    : variables;
  const rendered = await renderer.render(tenantId, templateId, message.templateVersion, all ?? {});
  if (!rendered.ok) throw gone(`The message cannot be composed any more: ${rendered.reason}.`);
  const { html, text } = rendered;
  const subject = stored.subject || rendered.subject;
  if (subject === '')
    throw new AppError('conflict', 'The message has no subject: send it with a subject instead.');
  return { ...stored, templateId: '', variables: undefined, subject, html, text };
}
