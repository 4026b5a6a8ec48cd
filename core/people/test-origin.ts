// Which mail is a test: what somebody sends to a person of their own tenant, on a page or by POST /transactional/send (a sample of the
// first steps). Tests count in no rate (core/message/rated.ts), so a test
// to anybody else is mail like all other: nobody sends past the ramp and the brake by calling it a test.

import { createLookupCache } from '../base/lookup-cache.ts';
import type { Queryable } from '../db/pool.ts';
import type { RecipientInput } from '../message/mailbox-input.ts';
import type { Origin } from '../message/origin.ts';
import { selectEmails, selectUser } from './membership-store.ts';

const MAX_AGE_MS = 10_000; // of what is known of a tenant's people where each message asks
const MAX_TENANTS = 10_000;

/** The origin of mail: `test` or `api`. Mail to several addresses is no test. */
export type TestOrigin = (
  db: Queryable,
  tenantId: string,
  recipients: readonly Pick<RecipientInput, 'key'>[],
) => Promise<Extract<Origin, 'test' | 'api'>>;

/** For the pages. */
export const testOrigin: TestOrigin = async (db, tenantId, recipients) => {
  const [only, ...others] = recipients;
  if (!only || others.length > 0) return 'api';
  const person = await selectUser(db, tenantId, { email: only.key });
  return person === null ? 'api' : 'test';
};

/** For the accept path: asks the database once in ten seconds for each tenant, and takes a person who came since for anybody else. */
export function createTestOrigin(): TestOrigin {
  const people = createLookupCache<ReadonlySet<string>>({ maxAgeMs: MAX_AGE_MS, maxEntries: MAX_TENANTS });
  return async (db, tenantId, recipients) => {
    const [only, ...others] = recipients;
    if (!only || others.length > 0) return 'api';
    const emails = await people(tenantId, () => selectEmails(db, tenantId));
    return emails.has(only.key) ? 'test' : 'api';
  };
}
