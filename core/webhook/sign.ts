// How a delivery proves that it is ours: an HMAC over the body, and headers that say what it is.

import { createHmac, randomBytes, type Hmac } from 'node:crypto';

import { SCAN_OFF, type ScanResult } from '../db/schema/inbound.ts';

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
  /** What the scanner said; null when none was set up. */
  scan: ScanResult | null;
  /** Whether the recipient's domain marks it for that. */
  junk: boolean;
}

/** What stands behind `X-<prefix>-Inbound-` in the names of a delivery's headers, and what each says. */
export const DELIVERY_HEADERS = {
  Sig: '`hmac-sha256=` and the HMAC of the body in hex',
  Tenant: 'the tenant, `tnt_…`',
  Recipient: 'the envelope recipient',
  From: 'the envelope sender; `<>` for the null sender of a bounce',
  Message: 'the message, `inm_…`, as the API names it',
  Peer: 'IP address of the server that sent us the message',
  Auth: '`spf=pass; dkim=none; dmarc=fail`: the words of RFC 8601; `temperror` where it was not found out in time, `dmarc=permerror` where the message has no `From` or more than one',
  Scan: '`verdict=spam; junk=yes; score=15.2; required=15; action=reject; symbols=GTUBE:15,MISSING_DATE:0.2`: docs/inbound.md says what each is; `verdict=not_scanned; junk=no; reason=off` without a scanner',
  Delivery: 'the delivery, `dlv_…`',
  Attempt: '1 to 7',
} as const;

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
  const values: Record<keyof typeof DELIVERY_HEADERS, string> = {
    Sig: `hmac-sha256=${signature}`,
    Tenant: facts.tenantId,
    Recipient: octets(facts.recipient),
    From: facts.mailFrom === '' ? '<>' : octets(facts.mailFrom),
    Message: facts.messageId,
    Peer: facts.peer,
    Auth: `spf=${spf}; dkim=${dkim}; dmarc=${dmarc}`,
    Scan: scanField(facts),
    Delivery: facts.deliveryId,
    Attempt: String(facts.attempt),
  };
  return {
    'content-type': 'message/rfc822',
    'user-agent': 'Postrider-Inbound/1',
    ...Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`X-${prefix}-Inbound-${name}`, value]),
    ),
  };
}

function scanField({ scan, junk }: Pick<DeliveryFacts, 'scan' | 'junk'>): string {
  const { verdict, reason, score, required_score: required, action, virus, symbols } = scan ?? SCAN_OFF;
  const matched = symbols.map((symbol) => `${symbol.name}:${symbol.score}`).join(',');
  const fields = {
    verdict,
    junk: junk ? 'yes' : 'no',
    reason,
    score,
    required,
    action,
    virus,
    symbols: matched,
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

// An HTTP header is octets: an address above ASCII (SMTPUTF8) goes as its UTF-8 octets. SMTP lets no control into one.
function octets(address: string): string {
  return Buffer.from(address, 'utf8').toString('latin1');
}
