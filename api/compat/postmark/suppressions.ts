// getSuppressions, createSuppressions, deleteSuppressions. An address has one entry: `outbound` has those that stop all mail,
// `broadcast` also those that stop marketing mail only.

import { z } from 'zod';

import { normalizeEmail, parseTypedAddress } from '../../../core/mail/address.ts';
import { MAX_ADDRESS_CHARS } from '../../../core/suppression/suppression-input.ts';
import {
  findSuppressed,
  type Suppression,
  type SuppressionReason,
} from '../../../core/suppression/suppression-store.ts';
import { listSuppressions, suppress, unsuppressAll } from '../../../core/suppression/suppressions.ts';
import { jsonBody, type Endpoint } from '../../endpoint.ts';
import { boundedList } from '../bounded-json.ts';
import { defineEndpoint } from '../service.ts';
import { STREAMS } from './names.ts';
import { listQuery } from './paging.ts';

const GROUP = 'Suppressions';
const PATH = '/message-streams/{stream}/suppressions';
const params = z.object({ stream: z.enum(STREAMS) });

/** Entries of a dump, and of one change; the second is Postmark's number. */
const MAX_DUMP = 10_000;
const MAX_CHANGE = 50;

/** Postmark's words for our reasons: why, and who did it. */
const WORDS: Readonly<Record<SuppressionReason, { SuppressionReason: string; Origin: string }>> = {
  bounce: { SuppressionReason: 'HardBounce', Origin: 'Recipient' },
  complaint: { SuppressionReason: 'SpamComplaint', Origin: 'Recipient' },
  unsubscribe: { SuppressionReason: 'ManualSuppression', Origin: 'Recipient' },
  manual: { SuppressionReason: 'ManualSuppression', Origin: 'Customer' },
};
const REASONS = Object.keys(WORDS) as SuppressionReason[];

const query = listQuery({
  suppressionreason: z.enum(['HardBounce', 'SpamComplaint', 'ManualSuppression']).optional(),
  origin: z.enum(['Recipient', 'Customer', 'Admin']).optional(),
  emailaddress: z.string().max(MAX_ADDRESS_CHARS).optional(),
});

const entries = z.object({
  Suppressions: boundedList(z.object({ EmailAddress: z.string().max(MAX_ADDRESS_CHARS) }), MAX_CHANGE),
});

/** The list, and what adds to it and takes from it. */
export const SUPPRESSION_ROUTES: readonly Endpoint[] = [
  defineEndpoint(
    {
      method: 'GET',
      path: `${PATH}/dump`,
      access: 'suppressions:read',
      group: GROUP,
      params,
      query,
      status: 200,
    },
    async ({ deps, caller, params: { stream }, query: given }) => {
      const found = await listSuppressions(deps.db, caller.tenantId, {
        reasons: REASONS.filter(
          (reason) =>
            (given.suppressionreason ?? WORDS[reason].SuppressionReason) ===
              WORDS[reason].SuppressionReason &&
            (given.origin ?? WORDS[reason].Origin) === WORDS[reason].Origin,
        ),
        stream: stream === 'outbound' ? 'all' : undefined,
        email: given.emailaddress,
        since: given.fromdate,
        until: given.todate,
        limit: MAX_DUMP,
      });
      return { data: { Suppressions: found.map(toEntry) } };
    },
  ),
  defineEndpoint(
    {
      method: 'POST',
      path: PATH,
      access: 'suppressions:write',
      group: GROUP,
      params,
      body: jsonBody(entries),
      status: 200,
    },
    async ({ deps, caller, by, params: { stream }, body }) => {
      const emails = body.Suppressions.map((one) => one.EmailAddress);
      const good = emails.filter(isAddress);
      const which = stream === 'outbound' ? 'all' : 'bulk';
      if (good.length > 0) await suppress(deps, by, caller.tenantId, good, 'manual', which);
      return {
        data: { Suppressions: emails.map((email) => toStatus(email, 'Suppressed', notAddress(email))) },
      };
    },
  ),
  defineEndpoint(
    {
      method: 'POST',
      path: `${PATH}/delete`,
      access: 'suppressions:write',
      group: GROUP,
      params,
      body: jsonBody(entries),
      status: 200,
    },
    async ({ deps, caller: { tenantId }, by, params: { stream }, body }) => {
      const emails = body.Suppressions.map((one) => one.EmailAddress);
      const keys = emails.filter(isAddress).map((email) => normalizeEmail(email));
      // As there, who complained stays suppressed.
      const reasons = REASONS.filter((reason) => reason !== 'complaint');
      const onlyAll = stream === 'outbound';
      if (keys.length > 0) await unsuppressAll(deps, by, tenantId, { reasons, emails: keys, onlyAll });
      const left = await findSuppressed(
        deps.db.pool,
        keys.map((email) => ({ tenantId, email })),
      );
      const isLeft = (email: string) => {
        const still = left.get(`${tenantId} ${normalizeEmail(email)}`);
        return still === 'all' || (still === 'bulk' && !onlyAll);
      };
      const problem = (email: string) => notAddress(email) ?? (isLeft(email) ? COMPLAINED : null);
      return { data: { Suppressions: emails.map((email) => toStatus(email, 'Deleted', problem(email))) } };
    },
  ),
];

const COMPLAINED = 'A spam complaint cannot be deleted here.';

function isAddress(email: string): boolean {
  return parseTypedAddress(email).ok;
}

function notAddress(email: string): string | null {
  return isAddress(email) ? null : 'An invalid email address was provided.';
}

function toStatus(EmailAddress: string, done: 'Suppressed' | 'Deleted', problem: string | null) {
  return { EmailAddress, Status: problem === null ? done : 'Failed', Message: problem };
}

function toEntry({ email, reason, createdAt }: Suppression) {
  return { EmailAddress: email, ...WORDS[reason], CreatedAt: createdAt.toISOString() };
}
