// Which mail is a test: what somebody sends to a person of their own tenant. Tests count in no rate (core/message/rated.ts), so a test
// to anybody else is mail like all other: nobody sends past the ramp and the brake by calling it a test.

import type { Queryable } from '../db/pool.ts';
import type { RecipientInput } from '../message/mailbox-input.ts';
import type { Origin } from '../message/origin.ts';
import { selectUser } from './membership-store.ts';

/** The origin of mail that is sent as a test. Mail to several addresses is none. */
export async function testOrigin(
  db: Queryable,
  tenantId: string,
  recipients: readonly Pick<RecipientInput, 'key'>[],
): Promise<Extract<Origin, 'test' | 'api'>> {
  const [only, ...others] = recipients;
  if (!only || others.length > 0) return 'api';
  const person = await selectUser(db, tenantId, { email: only.key });
  return person === null ? 'api' : 'test';
}
