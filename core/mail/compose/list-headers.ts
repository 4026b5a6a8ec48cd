// Headers that mailbox providers read about bulk mail: one-click unsubscribe (RFC 8058, RFC 2369) and Gmail's
// Feedback-ID.

import type { Header } from '../header.ts';

/**
 * Characters of an unsubscribe URL: with its field name it stays on one line, since a URL cannot be folded.
 */
export const MAX_UNSUBSCRIBE_URL_CHARS = 380;

/** Who a message counts for at Gmail's Postmaster Tools; any may be an empty string but `sender`. */
export type FeedbackParts = { campaign: string; tenant: string; stream: string; sender: string };

/**
 * List-Unsubscribe and List-Unsubscribe-Post for one https URL that unsubscribes on POST without asking back.
 * Throws on any other URL: receivers show no button for it, and a bad character could end the header.
 */
export function unsubscribeHeaders(url: string): Header[] {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(url) || /[<>,"]/.test(url))
    throw new RangeError('unsubscribe URL is not plain https');
  if (url.length > MAX_UNSUBSCRIBE_URL_CHARS) throw new RangeError('unsubscribe URL is too long');
  return [
    { name: 'List-Unsubscribe', value: `<${url}>` },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}

/**
 * The value of Feedback-ID: four parts joined by colons; other characters than letters, digits, `..`, `_`, `-`
 * become `-`.
 */
export function feedbackId({ campaign, tenant, stream, sender }: FeedbackParts): string {
  return [campaign, tenant, stream, sender]
    .map((part) => part.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 64))
    .join(':');
}
