// What an operator does to the domains of the second day, by the store's calendar: on each day the same, whatever is broken.
// One is raised while mail waits and more comes, and lowered before the day ends: on every other day so late that the mail that the
// raise lets go is in flight at midnight. The operator sends what waits and comes, so that no slow machine has too little of it.
// The other one is resumed and its brake released shortly before midnight, while its mail waits.

import { setTimeout as wait } from 'node:timers/promises';

import { seeded } from '../../local/simulate/behaviour.ts';
import type { Journal } from '../journal.ts';
import { recipientDomain } from '../outside.ts';
import { freshKey, restWork } from './rest.ts';
import { createClient } from './work.ts';
import { createWorkshop, type WorkshopDeps } from './workshop.ts';
import { SECOND_DAY } from './world.ts';

/** What driving needs. */
export interface SecondDayDeps extends WorkshopDeps {
  journal: Journal;
  seed: number;
  signal: AbortSignal;
}

type Change = { tier: number } | { path: 'resume' | 'brake/release' };

interface Planned {
  /** Milliseconds before midnight. */
  beforeMs: number;
  domain: string;
  /** What the operator changes, or the number of messages that a batch brings. */
  does: Change | number;
}

const DAY_MS = 86_400_000;
const POLL_MS = 100;
const onRaised = (beforeMs: number, does: Planned['does']): Planned => ({
  beforeMs,
  domain: SECOND_DAY.raised,
  does,
});
// The night's ramp may have raised it. What comes after that waits: more than the raise makes room for.
const BEFORE_RAISE: Planned[] = [onRaised(24_500, { tier: 0 }), onRaised(23_000, 90)];
const BESIDE_RAISE = { batches: 8, messages: 4, everyMs: 100 }; // releases look once a second
const LOWERED = onRaised(1_500, { tier: 0 });
const FREED: Planned[] = [
  { beforeMs: 14_000, domain: SECOND_DAY.bouncing, does: { path: 'resume' } },
  { beforeMs: 12_000, domain: SECOND_DAY.bouncing, does: { path: 'brake/release' } },
];
const raised = (beforeMs: number): Planned[] => [
  onRaised(beforeMs, { tier: 1 }),
  ...Array.from({ length: BESIDE_RAISE.batches }, (_, n) =>
    onRaised(beforeMs - n * BESIDE_RAISE.everyMs, BESIDE_RAISE.messages),
  ),
];
const EVEN: Planned[] = [...BEFORE_RAISE, ...FREED, ...raised(4_500), LOWERED]; // receivers answer after 3 s and 5 s
const ODD: Planned[] = [...BEFORE_RAISE, ...raised(18_000), ...FREED, LOWERED];

/** Drives it until the signal. */
export async function driveSecondDay(deps: SecondDayDeps): Promise<void> {
  const { storeMs, signal } = deps;
  const operator = createOperator(deps);
  const underWay: Promise<unknown>[] = [];
  let before = storeMs();
  while (!signal.aborted) {
    const now = storeMs();
    const day = Math.floor(now / DAY_MS);
    for (const { beforeMs, domain, does } of day % 2 === 0 ? EVEN : ODD) {
      const at = (day + 1) * DAY_MS - beforeMs;
      if (before >= at || at > now) continue;
      underWay.push(typeof does === 'number' ? operator.send(domain, does) : operator.change(domain, does));
    }
    before = now;
    await wait(POLL_MS, undefined, { signal }).catch(() => {});
  }
  await Promise.all(underWay);
  operator.close();
}

function createOperator(deps: SecondDayDeps) {
  const { stack, world, journal, http, seed, storeMs } = deps;
  const random = seeded(seed + 2);
  const client = createClient({ journal, prefix: 'o', random: () => 0.5, storeMs });
  const workshop = createWorkshop(deps, random);
  const tenant = world.accounts.findIndex(({ spec }) => spec.name === SECOND_DAY.tenant);
  const account = world.accounts[tenant]!;
  const apiKey = { name: 'operator', value: world.adminToken };
  const origins = stack.apis.map(({ origin }) => origin);
  let sent = 0;
  return {
    change(name: string, change: Change) {
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
    },
    async send(domain: string, count: number) {
      const recipients = Array.from(
        { length: count },
        () => `ok-beside${++sent}@${recipientDomain('ok', sent)}`,
      );
      const about = { at: 0, tenant, do: 'send', way: 'batch', domain, recipients, key: 0 } as const;
      return client.perform((await workshop.work({ ...about, once: true, copies: 1, clashes: false }))!);
    },
    close: workshop.close,
  };
}
