// Resend's clients, unchanged but for base URL and key. docs/compat-resend.md says what maps to what.

import { bearerCredential } from '../../exchange.ts';
import type { Service } from '../service.ts';
import { toResendError } from './errors.ts';
import { sendEmail } from './send.ts';

/** Resend: a bearer token, bodies without an envelope. */
export const RESEND: Service = {
  base: '/compat/resend',
  routes: [sendEmail],
  credential: bearerCredential,
  toError: toResendError,
};
