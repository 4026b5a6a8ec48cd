// The shapes that a body can have. A further one is a function here and its name in the schema: it is given an event and
// returns the whole body as JSON text, always the same text for the same event, and knows nothing of endpoints or
// signatures. It returns null for an event that its receivers have no shape for; none is delivered then.

import type { WebhookEvent } from '../webhook-event.ts';
import { sendgridBody } from './sendgrid.ts';
import { standardBody } from './standard.ts';

const FORMATS = {
  standard: standardBody,
  sendgrid: sendgridBody,
} satisfies Record<string, (event: WebhookEvent) => string | null>;

/** The name of a shape. */
export type WebhookFormat = keyof typeof FORMATS;

/** All names. */
export const WEBHOOK_FORMATS = Object.keys(FORMATS) as [WebhookFormat, ...WebhookFormat[]];

/** The body of an event in this shape; null when the shape has none for it. */
export function bodyOf(format: WebhookFormat, event: WebhookEvent): string | null {
  return FORMATS[format](event);
}
