// A campaign as one contact would get it: to look at, to check, and as a test to oneself. Reads only, but for the test.

import type { z } from 'zod';

import type { Actor } from '../audit/actor.ts';
import { invalidField } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Campaign } from '../campaign/campaign.ts';
import type { testInput } from '../campaign/campaign-input.ts';
import { messageMaker, sendingDomain } from '../campaign/campaign-message.ts';
import { campaignWords } from '../campaign/campaign-words.ts';
import { getCampaign } from '../campaign/campaigns.ts';
import type { RecipientContact } from '../campaign/expand-store.ts';
import type { SenderClient } from '../clients/sender.ts';
import { selectContacts } from '../contact/contact-store.ts';
import { selectDomainId } from '../domain/domain-store.ts';
import { getDomain } from '../domain/domains.ts';
import type { DomainView } from '../domain/domain.ts';
import { normalizeEmail, parseAddress, parseMailbox } from '../mail/address.ts';
import { UNSUBSCRIBE_VARIABLE } from '../mail/compose/list-headers.ts';
import { toRecipients, type MailboxInput } from '../message/mailbox-input.ts';
import { submitBatch } from '../message/submit-message.ts';
import { toRefusal, type Accepted } from '../message/submission.ts';
import { testOrigin } from '../people/test-origin.ts';
import type { TemplateContent } from '../template/template.ts';
import { createUnsubscribeUrl } from '../tracking/unsubscribe-url.ts';
import { selectSample } from '../campaign/audience-store.ts';
import type { PreflightDeps } from './preflight-deps.ts';

/** What one contact would get. */
export interface CampaignPreview {
  /** The contact's address; null when the audience has nobody and the message was made for no one. */
  email: string | null;
  subject: string;
  /** As it is sent, but for the links of tracking. */
  html: string;
  text: string;
  /** Why there is nothing to see, in words; null when there is. */
  problem: string | null;
}

type Deps = Pick<PreflightDeps, 'db' | 'config' | 'renderer'>;

/** Somebody without a name or attributes: what is shown when the audience is empty. */
export const NOBODY: RecipientContact = {
  email: 'someone@example.com',
  firstName: null,
  lastName: null,
  attributes: {},
};

/**
 * The campaign for the contact with this address, or the first of its audience. Throws not_found, and validation_failed
 * when no contact has the address.
 */
export async function previewCampaign(
  deps: Deps,
  tenantId: string,
  id: string,
  email: string | null,
): Promise<CampaignPreview> {
  const campaign = await getCampaign(deps, tenantId, id);
  const contact = await findContact(deps, tenantId, campaign, email);
  const shown = contact?.email ?? null;
  const words = await campaignWords(deps.db, tenantId, campaign);
  const nothing = { email: shown, subject: '', html: '', text: '' };
  if (words === null) return { ...nothing, problem: 'The template was deleted. Choose another one.' };
  if (!words.html && !words.text) return { ...nothing, problem: 'There is no content yet.' };
  const trackingHost = await liveHostOf(deps, tenantId, campaign);
  const made = await renderFor(deps, { tenantId, trackingHost }, campaign, words, contact ?? NOBODY);
  if (!made.result.ok) return { ...nothing, problem: made.result.reason };
  const { subject, html, text } = made.result;
  return { email: shown, subject, html, text, problem: null };
}

/** Addresses of the first contacts that would get the campaign, to choose one for a preview. */
export async function listSampleEmails(
  { db }: Pick<Deps, 'db'>,
  tenantId: string,
  { audience }: Campaign,
  limit: number,
): Promise<string[]> {
  return (await selectSample(db.pool, tenantId, audience, limit)).map(({ email }) => email);
}

/** Characters of a subject: the limit of a submission. */
const MAX_SUBJECT_CHARS = 998;

/**
 * Sends the campaign as one message, `[Test]` before its subject, to one address. It is no message of the campaign: nothing
 * of it is counted there, and neither opens nor clicks are tracked. To a person of the tenant it counts in no rate. A retry of the
 * same request sends nothing twice.
 */
export async function sendTest(
  deps: Deps & { sender: Pick<SenderClient, 'sendBatch'> },
  by: Actor,
  tenantId: string,
  id: string,
  { to, contact_email: email }: z.output<typeof testInput>,
): Promise<Accepted> {
  const campaign = await getCampaign(deps, tenantId, id);
  const preview = await previewCampaign(deps, tenantId, id, email ?? null);
  if (preview.problem !== null) throw invalidField('html', preview.problem);
  const { from, replyTo } = messageMaker(campaign, '')(NOBODY)!;
  const recipients = toRecipients({ to: [mailboxOf(to)] });
  const answer = await submitBatch(deps.sender, {
    onlyDomain: null,
    tenantId,
    origin: await testOrigin(deps.db.pool, tenantId, recipients),
    messages: [
      {
        id: by.changeId ?? newUuid(),
        input: {
          from,
          ...(replyTo && { replyTo }),
          recipients,
          subject: `[Test] ${preview.subject}`.slice(0, MAX_SUBJECT_CHARS).toWellFormed(),
          ...(preview.html !== '' && { html: preview.html }),
          ...(preview.text !== '' && { text: preview.text }),
          headers: [],
          attachments: [],
          tags: [{ name: 'campaign_test', value: toId('cmp', id) }],
          trackOpens: false,
          trackClicks: false,
        },
      },
    ],
  });
  if (!answer.ok) throw toRefusal(answer);
  const [item] = answer.items;
  if (!item?.ok) throw toRefusal(item!);
  return item;
}

function mailboxOf(text: string): MailboxInput {
  const parsed = parseMailbox(text);
  if (!parsed.ok) throw invalidField('to', parsed.reason);
  return { text, address: parsed.address };
}

/** Renders a campaign for one contact, with the unsubscribe link of a message of that id. */
export async function renderFor(
  { config, renderer }: Pick<Deps, 'config' | 'renderer'>,
  of: { tenantId: string; trackingHost: string | null },
  campaign: Campaign,
  words: TemplateContent,
  contact: RecipientContact,
) {
  const message = { ...of, id: newUuid(), rcptTo: contact.email };
  const variables = {
    ...messageMaker(campaign, '')(contact)?.variables,
    [UNSUBSCRIBE_VARIABLE]: createUnsubscribeUrl(config)(message),
  };
  return { message, result: await renderer.preview(words, variables, of.tenantId) };
}

/** The domain's own host for links, once it is live. */
export function liveHost({ trackingHost }: DomainView): string | null {
  return trackingHost.status === 'live' ? trackingHost.name : null;
}

async function liveHostOf(deps: Deps, tenantId: string, campaign: Campaign): Promise<string | null> {
  const domainId = await selectDomainId(deps.db.pool, tenantId, sendingDomain(campaign));
  return domainId === null ? null : liveHost(await getDomain(deps, tenantId, domainId));
}

async function findContact(
  { db }: Deps,
  tenantId: string,
  { audience }: Campaign,
  email: string | null,
): Promise<RecipientContact | null> {
  if (email === null) return (await selectSample(db.pool, tenantId, audience, 1))[0] ?? null;
  const parsed = parseAddress(email);
  const emailKey = parsed.ok ? normalizeEmail(parsed.address) : '';
  const [contact] = await selectContacts(db.pool, tenantId, { before: null, limit: 1, emailKey });
  if (!contact) throw invalidField('contact_email', 'is not the address of one of your contacts');
  return contact;
}
