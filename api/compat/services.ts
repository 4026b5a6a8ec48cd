// The services whose own clients run against us.

import { POSTMARK } from './postmark/service.ts';
import { RESEND } from './resend/service.ts';
import { SENDGRID } from './sendgrid/service.ts';
import type { Service } from './service.ts';

/** All of them. */
export const SERVICES: readonly Service[] = [RESEND, SENDGRID, POSTMARK];
