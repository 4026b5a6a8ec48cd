// Resend's clients, unchanged but for base URL and key. docs/compat-resend.md says what maps to what.

import { nowMs } from '../../../core/base/clock.ts';
import { bearerCredential } from '../../exchange.ts';
import type { Service } from '../service.ts';
import { BROADCAST_ROUTES } from './broadcasts.ts';
import { CONTACT_SEGMENT_ROUTES } from './contact-segments.ts';
import { CONTACT_ROUTES } from './contacts.ts';
import { DOMAIN_ROUTES } from './domains.ts';
import { cancelEmail, getEmail, listEmails, updateEmail } from './emails.ts';
import { toResendError } from './errors.ts';
import { SEGMENT_ROUTES } from './segments.ts';
import { sendBatch, sendEmail } from './send.ts';

/** Resend: a bearer token, bodies without an envelope. */
export const RESEND: Service = {
  name: 'resend',
  base: '/compat/resend',
  routes: [
    sendEmail,
    sendBatch,
    getEmail,
    listEmails,
    updateEmail,
    cancelEmail,
    ...DOMAIN_ROUTES,
    ...CONTACT_ROUTES,
    ...CONTACT_SEGMENT_ROUTES,
    ...SEGMENT_ROUTES,
    ...BROADCAST_ROUTES,
  ],
  credential: bearerCredential,
  toError: toResendError,
  moreHeaders: rateHeaders,
};

// https://resend.com/docs/api-reference/rate-limit: the reset is in seconds from now there.
function rateHeaders(ours: Record<string, string>): Record<string, string> {
  const reset = Number(ours['x-ratelimit-reset']) - Math.floor(nowMs() / 1000);
  return {
    'ratelimit-limit': ours['x-ratelimit-limit'] ?? '',
    'ratelimit-remaining': ours['x-ratelimit-remaining'] ?? '',
    'ratelimit-reset': String(Math.max(0, reset)),
  };
}
