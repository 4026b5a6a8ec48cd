// One tenant with one domain lives through some weeks: the real gate, the real release and the real ramp, against a
// calendar that is moved and mailbox providers that are drawn.

import { messageMaxAgeMs, settings } from '../../core/base/config.ts';
import type { Logger } from '../../core/base/log.ts';
import { newUuid } from '../../core/base/ids.ts';
import { ensurePartitions } from '../../core/db/partitions.ts';
import type { RedisConnection } from '../../core/clients/redis.ts';
import { claimDue, recordOutcomes } from '../../core/message/delivery-store.ts';
import { brakeStateOf, judgeNow } from './simulated-brake.ts';
import type { BrakeState } from '../../core/message/brake-state.ts';
import type { BrakeMemory } from '../../core/warmup/brake.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Accepted } from '../../core/message/submission.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { resetIdleDomains } from '../../core/warmup/idle-store.ts';
import { rampTiers } from '../../core/warmup/ramp.ts';
import { service } from '../../core/audit/actor.ts';
import { resumeDomain } from '../../core/warmup/change-tier.ts';
import { readWarmup } from '../../core/warmup/tier-store.ts';
import { acceptBatch, type AcceptDeps } from '../../sender/accept/batch.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { releaseDue } from '../../sender/release/release.ts';
import {
  demandOf,
  drawFate,
  drawProvider,
  noteOf,
  providersOf,
  seeded,
  type Behaviour,
  type Fate,
  type ProviderDay,
} from './behaviour.ts';
import type { SimulatedDatabase } from './simulated-clock.ts';
import { complain, makeTenant, newMessage, providerOf, type SimulatedAccount } from './simulated-tenant.ts';

/** What one day looked like. */
export interface SimulatedDay {
  day: number;
  date: string;
  tier: number;
  cap: number;
  state: string;
  wanted: number;
  /** Admissions used: mail that went out on the day. */
  sent: number;
  /** Accepted on the day and left for a later one. */
  deferred: number;
  /** Waiting at the end of the day. */
  waiting: number;
  refused: number;
  bounced: number;
  complained: number;
  /** Messages that each provider took on the day, and those it was the reason that they wait at the end of it. */
  providers: Record<string, { taken: number; waiting: number }>;
  /** How far the same-day brake was on when the day ended. */
  brake: BrakeState;
  note: string;
}

/** What a simulation needs. */
export interface SimulationDeps {
  simulated: SimulatedDatabase;
  redis: RedisConnection;
  keyPrefix: string;
  log: Logger;
}

const HOURS = [8, 12, 16, 20]; // when the day's mail is submitted, a quarter each
const BATCH = 400; // messages of one submission
const MAX_AGE_MS = messageMaxAgeMs(settings.pick({ MESSAGE_MAX_AGE_HOURS: true }).parse({}));
const DAY_ENDS = 23.5; // hour of the last deliveries
const UNTIL_TOMORROW_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const RETRY_EARLY_MS = 60_000; // so that it is due when the next hour comes
const RETRY_MS = HOUR_MS; // of a soft refusal

/** Lives through the days and returns them; `onDay` is called with each as it ends. */
export async function simulate(
  deps: SimulationDeps,
  behaviour: Behaviour,
  days: number,
  onDay: (day: SimulatedDay) => void,
): Promise<SimulatedDay[]> {
  const life = await begin(deps, behaviour);
  await ensurePartitions(deps.simulated.db.pool, new Date(life.firstDay), Math.ceil(days / 7) + 1);
  const lived: SimulatedDay[] = [];
  for (let day = 1; day <= days; day++) {
    const one = await liveDay(life, day);
    lived.push(one);
    onDay(one);
  }
  return lived;
}

interface Life {
  deps: SimulationDeps;
  behaviour: Behaviour;
  account: SimulatedAccount;
  accept: AcceptDeps;
  random: () => number;
  firstDay: number;
  pausedSince: number | null;
  brakeMemory: BrakeMemory | null;
  submitted: number;
}

async function begin(deps: SimulationDeps, behaviour: Behaviour): Promise<Life> {
  const { simulated, redis, keyPrefix, log } = deps;
  const now = await simulated.now();
  const firstDay = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  await simulated.setNow(new Date(firstDay));
  const gate = createGate(redis, keyPrefix, log);
  const { pool } = simulated.db;
  const accept = { pool, gate, fail: () => {}, workerId: newUuid, capacity: () => 0, maxAgeMs: MAX_AGE_MS };
  const account = await makeTenant(simulated.db);
  const random = seeded(behaviour.seed);
  return {
    deps,
    behaviour,
    account,
    accept,
    random,
    firstDay,
    pausedSince: null,
    brakeMemory: null,
    submitted: 0,
  };
}

// The hours of a day in order, as the scheduler and the senders would live through them.
async function liveDay(life: Life, day: number): Promise<SimulatedDay> {
  const { pool } = life.deps.simulated.db;
  const wanted = demandOf(life.behaviour, day);
  const tally = { deferred: 0, refused: 0, bounced: 0, complained: 0 };
  const atProviders = new Map(
    [...providersOf(life.behaviour, day)].map(([name, one]) => [name, { ...one, taken: 0, waiting: 0 }]),
  );
  const notes = [noteOf(life.behaviour, day)];
  await setHour(life, day, 0);
  await release(life);
  await resetIdleDomains(pool, await setHour(life, day, 0.5), 100);
  const ramp = await rampTiers(pool, { now: await setHour(life, day, 2), late: false });
  if (ramp.pause > 0) notes.push('paused by the ramp');
  if (ramp.demote > 0) notes.push('demoted by the ramp');
  notes.push(await resumeIfTime(life, day));
  for (const [i, hour] of HOURS.entries()) {
    await setHour(life, day, hour);
    const part = Math.floor((wanted * (i + 1)) / HOURS.length) - Math.floor((wanted * i) / HOURS.length);
    await submit(life, part, tally);
    await deliver(life, atProviders, (HOURS[i + 1] ?? DAY_ENDS) - hour, tally);
  }
  await setHour(life, day, DAY_ENDS);
  await deliver(life, atProviders, 24 - DAY_ENDS, tally);
  const { tenantId, domainId } = life.account;
  const warmup = await readWarmup(pool, tenantId, { id: domainId });
  const { tier, cap, state, used: sent, waiting, day: date } = warmup;
  const brake = await brakeStateOf(pool, life.account);
  if (brake !== 'off') notes.push(`braked (${brake})`);
  const providers = Object.fromEntries(
    [...atProviders].map(([name, { taken, waiting: left }]) => [name, { taken, waiting: left }]),
  );
  const limited = Object.keys(providers).filter((name) => providers[name]!.waiting > 0);
  if (limited.length > 0) notes.push(`limited by ${limited.join(', ')}`);
  const note = notes.filter(Boolean).join('; ');
  return { day, date, tier, cap, state, wanted, sent, waiting, ...tally, providers, brake, note };
}

async function setHour(life: Life, day: number, hour: number): Promise<Date> {
  const time = new Date(life.firstDay + (day - 1) * 86_400_000 + hour * 3_600_000 + 1_000);
  await life.deps.simulated.setNow(time);
  return time;
}

async function release(life: Life): Promise<void> {
  await releaseDue({ ...life.accept, wake: () => {} }, { now: null, tenantId: life.account.tenantId });
}

// The operator looks at a pause after some days and lifts it.
async function resumeIfTime(life: Life, day: number): Promise<string> {
  const { pool } = life.deps.simulated.db;
  const { tenantId, domainId } = life.account;
  const { state } = await readWarmup(pool, tenantId, { id: domainId });
  if (state !== 'paused') {
    life.pausedSince = null;
    return '';
  }
  life.pausedSince ??= day;
  if (day - life.pausedSince < life.behaviour.resume_after_days) return '';
  const deps = { db: life.deps.simulated.db, nats: { publish: () => false } }; // no live view looks on
  const target = { tenantId, domain: { id: domainId } };
  await resumeDomain(deps, service('operator'), target, { reason: 'the list was cleaned' });
  await release(life);
  return 'resumed';
}

async function submit(
  life: Life,
  count: number,
  tally: { deferred: number; refused: number },
): Promise<void> {
  const { tenantId } = life.account;
  const at = await life.deps.simulated.now();
  for (let left = count; left > 0; left -= BATCH) {
    const messages = Array.from({ length: Math.min(BATCH, left) }, () =>
      newMessage(
        life.account,
        drawProvider(life.behaviour, life.random),
        life.random() < life.behaviour.demand.bulk_share,
        at,
        life.submitted++,
      ),
    );
    const { answers } = await acceptBatch(life.accept, [{ tenantId, idempotency: null, messages }]);
    for (const answer of answers) {
      if (!answer.ok) throw new Error(`the submission was refused: ${answer.code}`);
      tally.refused += answer.items.filter((item) => !item.ok).length;
      tally.deferred += answer.items.filter((item) => (item as Accepted).status === 'deferred').length;
    }
  }
}

type AtProvider = ProviderDay & SimulatedDay['providers'][string];

// Delivers what is due now; a provider takes as much as it does in so many hours, and the rest waits for as long.
async function deliver(
  life: Life,
  atProviders: Map<string, AtProvider>,
  hours: number,
  tally: { bounced: number; complained: number },
): Promise<void> {
  const { db, now } = life.deps.simulated;
  const at = await now();
  const left = new Map(
    [...atProviders].map(([name, { takesPerHour }]) => [name, Math.floor(takesPerHour * hours)]),
  );
  for (const one of atProviders.values()) one.waiting = 0;
  for (;;) {
    const limits = { messages: BATCH, transactional: BATCH, bulk: BATCH, octets: 64 * 1024 * 1024 };
    const claims = await claimDue(db.pool, newUuid(), limits);
    if (claims.length === 0) return;
    const complaints: Claim[] = [];
    const brake = await brakeStateOf(db.pool, life.account);
    const outcomes = claims.map((claim): Outcome => {
      const held = brake === 'all' || (brake === 'bulk' && claim.stream === 'bulk');
      if (held) return { ...waits(claim, 'brake', { brake }), retryInMs: UNTIL_TOMORROW_MS };
      const provider = providerOf(claim);
      const there = atProviders.get(provider)!;
      if (left.get(provider)! <= 0) {
        there.waiting += 1;
        return {
          ...waits(claim, 'provider_limit', { provider }),
          retryInMs: hours * HOUR_MS - RETRY_EARLY_MS,
        };
      }
      left.set(provider, left.get(provider)! - 1);
      there.taken += 1;
      const fate = drawFate(there, life.random);
      if (fate === 'complained') complaints.push(claim);
      if (fate === 'bounced') tally.bounced += 1;
      return toOutcome(claim, fate, at);
    });
    await recordOutcomes(db.pool, outcomes);
    await complain(db, complaints, at);
    tally.complained += complaints.length;
    life.brakeMemory = await judgeNow(db.pool, life.account, life.brakeMemory);
  }
}

function waits(claim: Claim, rule: 'brake' | 'provider_limit', inputs: Record<string, string>) {
  return { kind: 'postponed', claim, reason: rule, because: { rule, inputs } } as const;
}

function toOutcome(claim: Claim, fate: Fate, at: Date): Outcome {
  const attempt = {
    at,
    durationMs: 1,
    esp: 'direct',
    mx: `mx.${providerOf(claim)}.test`,
    provider: providerOf(claim),
    source: null,
    sourceName: null,
    tls: null,
    tlsVerified: null,
    tlsPolicy: null,
    certificate: null,
    command: 'DOT',
    enhancedCode: null,
    bounceClass: null,
  };
  switch (fate) {
    case 'delivered':
    case 'complained':
      return { kind: 'delivered', claim, attempt: { ...attempt, smtpCode: 250, reply: 'ok' } };
    case 'bounced':
      return {
        kind: 'bounced',
        claim,
        attempt: { ...attempt, smtpCode: 550, reply: 'no such user' },
        hard: true,
        suppresses: null,
      };
    case 'soft':
      return {
        kind: 'deferred',
        claim,
        attempt: { ...attempt, smtpCode: 451, reply: 'later' },
        reason: 'remote_4xx',
        retryInMs: RETRY_MS,
      };
    default:
      return fate satisfies never;
  }
}
