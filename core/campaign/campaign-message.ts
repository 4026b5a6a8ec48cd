// The message that a campaign has for one contact. Pure.

import { parseAddress, parseMailbox } from '../mail/address.ts';
import { UNSUBSCRIBE_VARIABLE } from '../mail/compose/list-headers.ts';
import { toRecipients, type MailboxInput } from '../message/mailbox-input.ts';
import type { SendInput } from '../message/send-input.ts';
import type { CampaignContent } from './campaign.ts';
import type { RecipientContact } from './expand-store.ts';

/** Makes the message of each contact; null when the address is none (it was checked when it came in). */
export type MakeMessage = (contact: RecipientContact) => SendInput | null;

/** Prepares what all messages of a campaign share. `templateId` is the one that is rendered. */
export function messageMaker(campaign: CampaignContent, templateId: string): MakeMessage {
  const from = mailbox(campaign.from);
  const shared = {
    from,
    subject: '',
    templateId,
    headers: [],
    tags: [],
    attachments: [],
    ...(campaign.replyTo !== null && { replyTo: [mailbox(campaign.replyTo)] }),
    ...(campaign.trackOpens !== null && { trackOpens: campaign.trackOpens }),
    ...(campaign.trackClicks !== null && { trackClicks: campaign.trackClicks }),
  };
  return (contact) => {
    const parsed = parseAddress(contact.email);
    if (!parsed.ok) return null;
    const { address } = parsed;
    const recipients = toRecipients({ to: [{ text: address.email, address }] });
    return { ...shared, recipients, variables: variablesOf(contact) };
  };
}

/** The domain that a campaign is sent from. */
export function sendingDomain(campaign: Pick<CampaignContent, 'from'>): string {
  return mailbox(campaign.from).address.domain;
}

// What is not known is left out, so that a variable's default is used. The contact's own fields win. The link to
// unsubscribe is made at delivery; here its name is reserved: no attribute has it, and a template may require it.
function variablesOf({ email, firstName, lastName, attributes }: RecipientContact): Record<string, unknown> {
  return {
    ...attributes,
    email,
    ...(firstName !== null && { first_name: firstName }),
    ...(lastName !== null && { last_name: lastName }),
    [UNSUBSCRIBE_VARIABLE]: '',
  };
}

function mailbox(text: string): MailboxInput {
  const parsed = parseMailbox(text);
  if (!parsed.ok) throw new RangeError(`a stored mailbox does not parse: ${parsed.reason}`);
  return { text, address: parsed.address };
}
