// A contact of ours as one of Resend.

import { toId } from '../../../core/base/ids.ts';
import type { Contact } from '../../../core/contact/contact.ts';

/** What a list shows of a contact. */
export function toContact(contact: Contact) {
  return {
    id: toId('con', contact.id),
    email: contact.email,
    first_name: contact.firstName,
    last_name: contact.lastName,
    unsubscribed: contact.status === 'unsubscribed',
    created_at: contact.createdAt.toISOString(),
  };
}

/** Its attributes as properties, which are numbers or texts there. */
export function toProperties({ attributes }: Contact): Record<string, unknown> {
  const set = Object.entries(attributes).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([name, value]) => [name, toProperty(value)]));
}

function toProperty(value: unknown) {
  if (typeof value === 'number') return { type: 'number', value };
  return { type: 'string', value: typeof value === 'string' ? value : JSON.stringify(value) };
}
