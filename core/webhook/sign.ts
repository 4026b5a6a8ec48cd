// How a delivery proves that it is ours: an HMAC over the body, and headers that say what it is.

import { createHmac, randomBytes, type Hmac } from 'node:crypto';

/** What a delivery says about itself beside the body. Ids are in their outside form. */
export interface DeliveryFacts {
  tenantId: string;
  recipient: string;
  deliveryId: string;
  attempt: number;
  messageId: string;
  /** Envelope sender; empty for the null sender. */
  mailFrom: string;
  /** Address of the client that sent the message. */
  peer: string;
  /** The words of RFC 8601 section 2.7; null while nobody has checked. */
  auth: Record<'spf' | 'dkim' | 'dmarc', string> | null;
}

const NOT_CHECKED = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' };

/** A fresh secret. The HMAC key is this text itself, in UTF-8. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

/** An HMAC to feed the body into, piece by piece. */
export function startSignature(secret: string): Hmac {
  return createHmac('sha256', Buffer.from(secret, 'utf8'));
}

/** The headers of a delivery; `prefix` is WEBHOOK_HEADER_PREFIX. */
export function deliveryHeaders(
  prefix: string,
  signature: string,
  facts: DeliveryFacts,
): Record<string, string> {
  const { spf, dkim, dmarc } = facts.auth ?? NOT_CHECKED;
  return {
    'content-type': 'message/rfc822',
    'user-agent': 'Postrider-Inbound/1',
    [`X-${prefix}-Inbound-Sig`]: `hmac-sha256=${signature}`,
    [`X-${prefix}-Inbound-Tenant`]: facts.tenantId,
    [`X-${prefix}-Inbound-Recipient`]: octets(facts.recipient),
    [`X-${prefix}-Inbound-Delivery`]: facts.deliveryId,
    [`X-${prefix}-Inbound-Attempt`]: String(facts.attempt),
    [`X-${prefix}-Inbound-Message`]: facts.messageId,
    [`X-${prefix}-Inbound-From`]: facts.mailFrom === '' ? '<>' : octets(facts.mailFrom),
    [`X-${prefix}-Inbound-Peer`]: facts.peer,
    [`X-${prefix}-Inbound-Auth`]: `spf=${spf}; dkim=${dkim}; dmarc=${dmarc}`,
  };
}

// An HTTP header is octets: an address above ASCII (SMTPUTF8) goes as its UTF-8 octets. SMTP lets no control into one.
function octets(address: string): string {
  return Buffer.from(address, 'utf8').toString('latin1');
}
