// The lists of /v3/suppression: our suppressions, by reason. An address has one entry here, with the weightiest reason:
// it is in one of the lists.

import { z } from 'zod';

import { invalidField, notFound } from '../../../core/base/errors.ts';
import { selectEvents, type MessageEvent } from '../../../core/message/message-store.ts';
import { MAX_ADDRESS_CHARS, MAX_BULK } from '../../../core/suppression/suppression-input.ts';
import type { Suppression, SuppressionReason } from '../../../core/suppression/suppression-store.ts';
import { listSuppressions, suppress, unsuppressAll } from '../../../core/suppression/suppressions.ts';
import { parseTypedAddress } from '../../../core/mail/address.ts';
import type { ApiDeps } from '../../deps.ts';
import { jsonBody, type Endpoint } from '../../endpoint.ts';
import { boundedList } from '../bounded-json.ts';
import { defineEndpoint } from '../service.ts';

const GROUP = 'Suppressions';

/** Entries of a page, and those before it: SendGrid's number, and what a walk along the index does in 0.1 s. */
const MAX_LIMIT = 500;
const MAX_OFFSET = 100_000;

const email = z.string().max(MAX_ADDRESS_CHARS);
const emailParam = z.object({ email });
const seconds = z.coerce
  .number()
  .int()
  .min(0)
  .max(253_402_300_799)
  .transform((given) => new Date(given * 1000));

const listQuery = z.object({
  start_time: seconds.optional(),
  end_time: seconds.optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(MAX_LIMIT),
  offset: z.coerce.number().int().min(0).max(MAX_OFFSET).default(0),
  email: email.optional(),
});

const removal = z
  .object({ delete_all: z.boolean().nullish(), emails: boundedList(email, MAX_BULK).nullish() })
  .refine((body) => body.delete_all === true || body.emails, {
    path: ['emails'],
    message: 'is required: give emails, or delete_all',
  })
  .refine((body) => !(body.delete_all === true && body.emails && body.emails.length > 0), {
    path: ['emails'],
    message: 'cannot be combined with delete_all',
  });

type Show = (entry: Suppression, events: Map<string, MessageEvent>) => Record<string, unknown>;

/** One list: its path, what is in it, and how an entry looks. */
interface List {
  path: `/v3/${string}`;
  reasons: readonly SuppressionReason[];
  show: Show;
}

const created = ({ createdAt }: Suppression) => Math.floor(createdAt.getTime() / 1000);

const bounces: List = {
  path: '/v3/suppression/bounces',
  reasons: ['bounce'],
  show: (entry, events) => {
    const data = events.get(entry.sourceMessageId ?? '')?.data ?? {};
    return {
      created: created(entry),
      email: entry.email,
      reason: textOf(data['diagnostic']),
      status: textOf(data['enhanced_code']),
    };
  },
};

const spamReports: List = {
  path: '/v3/suppression/spam_reports',
  reasons: ['complaint'],
  show: (entry) => ({ created: created(entry), email: entry.email, ip: '' }),
};

const unsubscribes: List = {
  path: '/v3/suppression/unsubscribes',
  reasons: ['unsubscribe', 'manual'],
  show: (entry) => ({ created: created(entry), email: entry.email }),
};

/** GET and DELETE of each list and of an address in it, and the global unsubscribes. */
export const SUPPRESSION_ROUTES: readonly Endpoint[] = [
  ...[bounces, spamReports, unsubscribes].flatMap(routesOf),
  ...globalRoutes(),
];

function routesOf(list: List): Endpoint[] {
  const { path, reasons } = list;
  return [
    defineEndpoint(
      { method: 'GET', path, access: 'suppressions:read', group: GROUP, query: listQuery, status: 200 },
      async ({ deps, caller, query }) => {
        const entries = await listSuppressions(deps.db, caller.tenantId, {
          reasons,
          since: query.start_time,
          until: query.end_time,
          email: query.email,
          limit: query.limit,
          skip: query.offset,
        });
        return { data: await showAll(deps, caller.tenantId, list, entries) };
      },
    ),
    defineEndpoint(
      {
        method: 'GET',
        path: `${path}/{email}`,
        access: 'suppressions:read',
        group: GROUP,
        params: emailParam,
        status: 200,
      },
      async ({ deps, caller, params }) => {
        const entries = await listSuppressions(deps.db, caller.tenantId, { reasons, ...params, limit: 1 });
        return { data: await showAll(deps, caller.tenantId, list, entries) };
      },
    ),
    defineEndpoint(
      {
        method: 'DELETE',
        path,
        access: 'suppressions:write',
        group: GROUP,
        body: jsonBody(removal),
        status: 204,
      },
      async ({ deps, caller, by, body }) => {
        if (body.delete_all === true && reasons.includes('complaint'))
          throw invalidField('delete_all', COMPLAINED);
        const emails = body.delete_all === true ? {} : { emails: body.emails ?? [] };
        await unsuppressAll(deps, by, caller.tenantId, { reasons, ...emails });
        return { data: undefined };
      },
    ),
    removeOne(`${path}/{email}`, reasons),
  ];
}

// Mail to all who complained would end a domain's reputation in a day.
const COMPLAINED = 'cannot be used for spam reports: name the addresses in emails';

function removeOne(path: `/v3/${string}`, reasons: readonly SuppressionReason[]): Endpoint {
  return defineEndpoint(
    { method: 'DELETE', path, access: 'suppressions:write', group: GROUP, params: emailParam, status: 204 },
    async ({ deps, caller, by, params }) => {
      const removed = await unsuppressAll(deps, by, caller.tenantId, { reasons, emails: [params.email] });
      if (removed === 0) throw notFound('suppression');
      return { data: undefined };
    },
  );
}

// Adding to the list of unsubscribes, and asking about one address: /v3/asm/suppressions/global. As there, all mail stops.
function globalRoutes(): Endpoint[] {
  const path = '/v3/asm/suppressions/global';
  const { reasons } = unsubscribes;
  const address = email.refine((text) => parseTypedAddress(text).ok, 'is not an email address');
  return [
    defineEndpoint(
      {
        method: 'POST',
        path,
        access: 'suppressions:write',
        group: GROUP,
        body: jsonBody(
          z.object({
            recipient_emails: boundedList(address, MAX_BULK).refine(
              (list) => list.length > 0,
              'must have at least 1 item',
            ),
          }),
        ),
        status: 201,
      },
      async ({ deps, caller, by, body }) => {
        await suppress(deps, by, caller.tenantId, body.recipient_emails, 'unsubscribe', 'all');
        return { data: { recipient_emails: body.recipient_emails } };
      },
    ),
    defineEndpoint(
      {
        method: 'GET',
        path: `${path}/{email}`,
        access: 'suppressions:read',
        group: GROUP,
        params: emailParam,
        status: 200,
      },
      async ({ deps, caller, params }) => {
        const [entry] = await listSuppressions(deps.db, caller.tenantId, { reasons, ...params, limit: 1 });
        return { data: entry ? { recipient_email: entry.email } : {} };
      },
    ),
    removeOne(`${path}/{email}`, reasons),
  ];
}

async function showAll(
  deps: ApiDeps,
  tenantId: string,
  { reasons, show }: List,
  entries: Suppression[],
): Promise<Record<string, unknown>[]> {
  const ids = reasons.includes('bounce')
    ? entries.flatMap(({ sourceMessageId }) => sourceMessageId ?? [])
    : [];
  const events = ids.length === 0 ? [] : await selectEvents(deps.db.pool, tenantId, ids);
  const bounced = events.filter(({ type }) => type === 'bounced');
  const byMessage = new Map(bounced.map((event) => [event.messageId, event]));
  return entries.map((entry) => show(entry, byMessage));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
