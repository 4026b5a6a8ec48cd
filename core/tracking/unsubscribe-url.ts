// The link with which the recipient of a campaign leaves: the one of the List-Unsubscribe header (RFC 8058), and the
// one that templates show as `{{ unsubscribe_url }}`. The same message has the same link on every attempt, but for its
// host: what counts is whether the tracking host is live then.

import type { Config } from '../base/config.ts';
import { trimEnd } from '../base/trim-end.ts';
import { normalizeEmail } from '../mail/address.ts';
import { MAX_UNSUBSCRIBE_URL_CHARS } from '../mail/compose/list-headers.ts';
import { makeToken, readToken, trackingKeys, type TrackingToken } from './token.ts';

/** Of a message: whose it is. */
export interface UnsubscribableMessage {
  /** UUID. */
  id: string;
  tenantId: string;
  rcptTo: string;
  /** Of its domain, while it is live: links lead over it, and without one over our own host. */
  trackingHost?: string | null;
}

/** Where links of ours begin: at the tracking host of a domain, or at our own; no slash at the end. */
export function trackingBase(config: Pick<Config, 'PUBLIC_URL'>, trackingHost: string | null): string {
  return trackingHost === null ? trimEnd(config.PUBLIC_URL, '/') : `https://${trackingHost}`;
}

/** Makes links. Keys are derived once, here. */
export function createUnsubscribeUrl(
  config: Pick<Config, 'PUBLIC_URL' | 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>,
): (message: UnsubscribableMessage) => string {
  const [key] = trackingKeys(config);
  return ({ id, tenantId, rcptTo, trackingHost }) => {
    const base = trackingBase(config, trackingHost ?? null);
    const url = (text: string) => `${base}/u/${makeToken('u', { messageId: id, tenantId, text }, key)}`;
    // The address lets the link outlive the message in our record. A long one has to do without.
    const whole = url(normalizeEmail(rcptTo));
    return whole.length <= MAX_UNSUBSCRIBE_URL_CHARS ? whole : url('');
  };
}

/** What a link of ours says, wherever we were reached when it was made; null for others. */
export function readUnsubscribeUrl(url: string, keys: ReturnType<typeof trackingKeys>): TrackingToken | null {
  const token = /^https?:\/\/[^?#]+\/u\/([A-Za-z0-9_-]+)$/.exec(url)?.[1];
  return token === undefined ? null : readToken('u', token, keys);
}
