// Postmark's clients, unchanged but for host and token. docs/compat-postmark.md says what maps to what.

import type { Credential, Exchange } from '../../exchange.ts';
import type { Service } from '../service.ts';
import { getBounce, getBounces } from './bounces.ts';
import { BULK_ROUTES } from './bulk.ts';
import { toPostmarkError } from './errors.ts';
import { MESSAGE_ROUTES } from './messages.ts';
import { SEND_ROUTES } from './send.ts';
import { SUPPRESSION_ROUTES } from './suppressions.ts';

/** Postmark: a token in a header of its own, answers without an envelope. */
export const POSTMARK: Service = {
  name: 'postmark',
  base: '/compat/postmark',
  routes: [...SEND_ROUTES, ...BULK_ROUTES, ...MESSAGE_ROUTES, getBounces, getBounce, ...SUPPRESSION_ROUTES],
  credential: serverToken,
  testToken: 'POSTMARK_API_TEST',
  toError: toPostmarkError,
};

function serverToken({ context }: Exchange): Credential {
  const token = context.req.header('x-postmark-server-token')?.trim();
  return { token: token || null, advice: 'Send X-Postmark-Server-Token: <API key>.' };
}
