// What an operator does to the domains of the second day, by the store's calendar: on each day the same, whatever is broken.
// One is raised while mail waits, and lowered before the day ends: on every other day so late that the mail that the raise lets go
// is in flight at midnight. The other one is resumed and its brake released shortly before midnight, while its mail waits.

import { setTimeout as wait } from 'node:timers/promises';

import type { Journal } from '../journal.ts';
import type { World } from './accounts.ts';
import type { Http } from './http.ts';
import { freshKey, restWork } from './rest.ts';
import { createClient } from './work.ts';
import { SECOND_DAY } from './world.ts';

/** What driving needs. */
export interface SecondDayDeps {
  world: World;
  journal: Journal;
  http: Http;
  origins: string[];
  /** Milliseconds since the epoch by the store's calendar. */
  storeMs(): number;
  signal: AbortSignal;
}

type Change = { tier: number } | { path: 'resume' | 'brake/release' };

interface Planned {
  /** Milliseconds before midnight. */
  beforeMs: number;
  domain: string;
  change: Change;
}

const DAY_MS = 86_400_000;
const POLL_MS = 100;
const LOWERED: Planned = { beforeMs: 1_500, domain: SECOND_DAY.raised, change: { tier: 0 } };
const FREED: Planned[] = [
  { beforeMs: 14_000, domain: SECOND_DAY.bouncing, change: { path: 'resume' } },
  { beforeMs: 12_000, domain: SECOND_DAY.bouncing, change: { path: 'brake/release' } },
];
const raised = (beforeMs: number): Planned => ({ beforeMs, domain: SECOND_DAY.raised, change: { tier: 1 } });
const EVEN: Planned[] = [...FREED, raised(4_500), LOWERED]; // receivers answer after 3 s and 5 s
const ODD: Planned[] = [raised(18_000), ...FREED, LOWERED];

/** Drives it until the signal. */
export async function driveSecondDay(deps: SecondDayDeps): Promise<void> {
  const { storeMs, signal } = deps;
  const perform = createOperator(deps);
  const underWay: Promise<unknown>[] = [];
  let before = storeMs();
  while (!signal.aborted) {
    const now = storeMs();
    const day = Math.floor(now / DAY_MS);
    for (const { beforeMs, domain, change } of day % 2 === 0 ? EVEN : ODD) {
      const at = (day + 1) * DAY_MS - beforeMs;
      if (before < at && at <= now) underWay.push(perform(domain, change));
    }
    before = now;
    await wait(POLL_MS, undefined, { signal }).catch(() => {});
  }
  await Promise.all(underWay);
}

function createOperator({ world, journal, http, origins, storeMs }: SecondDayDeps) {
  const client = createClient({ journal, prefix: 'o', random: () => 0.5, storeMs });
  const account = world.accounts.find(({ spec }) => spec.name === SECOND_DAY.tenant)!;
  const apiKey = { name: 'operator', value: world.adminToken };
  return (name: string, change: Change) => {
    const domain = account.domains.find((one) => one.name === name)!;
    const path = `/admin/tenants/${account.tenant}/domains/${domain.id}`;
    const about = { tenant: account.tenant, domain: name, recipients: [], contents: [], apiKey };
    const [to, body] = 'tier' in change ? (['tier', change] as const) : ([change.path, {}] as const);
    const work = restWork(
      { http, origins },
      { ...about, via: 'change', once: freshKey() },
      `${path}/${to}`,
      body,
    );
    return client.perform({ ...work, ...('tier' in change && { tier: change.tier }) });
  };
}
