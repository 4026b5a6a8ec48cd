// SendGrid's clients, unchanged but for base URL and key. docs/compat-sendgrid.md says what maps to what.

import { bearerCredential } from '../../exchange.ts';
import type { Service } from '../service.ts';
import { toSendGridError } from './errors.ts';
import { SCHEDULED_SEND_ROUTES } from './scheduled-sends.ts';
import { sendMail } from './send-mail.ts';
import { SUPPRESSION_ROUTES } from './suppressions.ts';

/** SendGrid: a bearer token, answers without an envelope. */
export const SENDGRID: Service = {
  name: 'sendgrid',
  base: '/compat/sendgrid',
  routes: [sendMail, ...SCHEDULED_SEND_ROUTES, ...SUPPRESSION_ROUTES],
  credential: bearerCredential,
  toError: toSendGridError,
};
