// What becomes of one stored raw: read by a parser process, then recorded in one transaction: content for those who read
// it, events and suppressions for what reports say.

import type pg from 'pg';

import { nowMs } from '../core/base/clock.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { readState } from '../core/message/report-store.ts';
import { OPEN_STATES, type MessageState } from '../core/message/states.ts';
import { readWhole } from '../core/inbound/raw-store.ts';
import { finishWork, postponeWork, type RawWork } from '../core/inbound/work-store.ts';
import { acceptAggregate } from './accept-aggregate.ts';
import { acceptBounce } from './accept-bounce.ts';
import { acceptComplaint, type ReportKeys } from './accept-complaint.ts';
import { unreadable, type ParseResult } from './parse/parse-job.ts';
import type { ParserPool } from './parse/parser-pool.ts';

/** What routing needs. */
export interface RouteDeps {
  pool: pg.Pool;
  log: Logger;
  fail: Fail;
  parser: ParserPool;
  keys: ReportKeys;
  /** A tenant has a new event, of mail from this domain. */
  onEvent: (tenantId: string, eventId: string, domainId: string) => void;
  /** Wakes up those who deliver to webhooks. */
  onDeliveriesDue: () => void;
}

const OPEN: ReadonlySet<MessageState> = new Set(OPEN_STATES);
const SETTLE_MS = 1_000; // a report may overtake the sender that still writes down the peer's 250
const SETTLE_LIMIT_MS = 10 * 60_000;
const MAX_ATTEMPTS = 5; // a raw that crashed this many processes is not parsed again

/** Routes one claimed raw. Throws when the database is unavailable or no parser is free; the claim then runs out. */
export async function routeMessage(deps: RouteDeps, work: RawWork): Promise<void> {
  if (await isTooEarly(deps.pool, work)) return postponeWork(deps.pool, work, SETTLE_MS, true);
  const result = await parse(deps, work);
  const events: { eventId: string; domainId: string }[] = [];
  deps.fail('inbound.before-route');
  const bodies = result.bodies.map(({ index, bytes }) => ({ index, bytes: Buffer.from(bytes) }));
  const accept = async (client: pg.PoolClient) => {
    for (const message of work.messages) {
      const eventId = await acceptReport(deps, client, work, message, result);
      if (eventId !== null) events.push({ eventId, domainId: message.domainId });
    }
  };
  const due = await finishWork(
    deps.pool,
    work,
    result.content,
    bodies,
    result.report || result.aggregate ? accept : null,
  );
  deps.fail('inbound.after-route');
  if (due > 0) deps.onDeliveriesDue();
  for (const { eventId, domainId } of events) deps.onEvent(work.tenantId, eventId, domainId);
}

async function parse(deps: RouteDeps, work: RawWork): Promise<ParseResult> {
  const content = work.messages.some(({ kind }) => kind === 'mail');
  const report = work.messages.some(({ kind }) => kind === 'bounce' || kind === 'complaint');
  const aggregate = work.messages.some(({ kind }) => kind === 'aggregate');
  if (!content && !report && !aggregate) return { content: null, bodies: [], report: null, aggregate: null };
  if (work.attempts > MAX_ATTEMPTS) {
    deps.log.error({ raw: work.id }, 'a message stays unparsed after too many attempts');
    return unreadable({ content, report, aggregate }, 'tried too often');
  }
  const raw = await readWhole(deps.pool, work.tenantId, work.id);
  const { mailFrom, helo, peer } = work;
  return deps.parser.parse({ raw, mailFrom, helo, peer, content, report, aggregate });
}

async function acceptReport(
  deps: RouteDeps,
  client: pg.PoolClient,
  work: RawWork,
  message: RawWork['messages'][number],
  { report, aggregate }: ParseResult,
): Promise<string | null> {
  const { id, kind, domainId, aboutMessageId } = message;
  const { tenantId } = work;
  if (kind === 'aggregate' && aggregate) await acceptAggregate(client, { id, tenantId, domainId }, aggregate);
  if (!report) return null;
  if (kind === 'bounce' && aboutMessageId !== null) {
    return acceptBounce(client, { id, tenantId, aboutMessageId }, report);
  }
  if (kind === 'complaint') {
    return acceptComplaint(client, { id, tenantId, domainId }, report, deps.keys);
  }
  return null;
}

async function isTooEarly(pool: pg.Pool, work: RawWork): Promise<boolean> {
  if (nowMs() - work.receivedAt.getTime() > SETTLE_LIMIT_MS) return false;
  for (const { kind, aboutMessageId } of work.messages) {
    if (kind !== 'bounce' || aboutMessageId === null) continue;
    const state = await readState(pool, work.tenantId, aboutMessageId);
    if (state !== null && OPEN.has(state)) return true;
  }
  return false;
}
