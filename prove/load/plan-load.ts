// What clients do in a run, and when: the same seed gives the same plan. It is open loop: nothing waits for an answer
// before the next thing is asked.

import { seeded } from '../../local/simulate/behaviour.ts';
import { recipientDomain } from '../outside.ts';
import type { Kind } from '../sink/verdicts.ts';
import { times, type Action, type LoadSize, type Names, type Random, type Way } from './action.ts';
import {
  campaigns,
  inboundBursts,
  inboundMail,
  overQuota,
  overRate,
  resets,
  secondDay,
  victims,
} from './plan-parts.ts';
import { SEND_KEYS, type TenantSpec } from './world.ts';

// Ways to send one message, with their shares.
const WAYS: Record<Way, number> = { rest: 34, grpc: 16, stream: 18, graphql: 8, submission: 14, batch: 10 };
// Recipients by what their servers do, in thousandths. Those that bounce are few: a domain is paused at 3 %.
const KIND_SHARES: [Kind, number][] = [
  ['ok', 870],
  ['slow', 24],
  ['pause', 20],
  ['cut', 6],
  ['grey', 30],
  ['busy', 24],
  ['full', 20],
  ['never', 4],
  ['unknown', 2],
];
const ONCE = 0.6;
const COPIES = { share: 0.05, most: 4 };
const CLASHES = 0.03; // of the requests with a key over REST

/** The actions in the order of their times. */
export function planLoad(specs: TenantSpec[], size: LoadSize): Action[] {
  const random = seeded(size.seed);
  const names = createNames(random, size.more ?? {});
  const actions = [
    ...mixedMail(specs, size, random, names),
    ...victims(specs, size, random),
    ...inboundMail(specs, size, random),
    ...inboundBursts(specs, size),
    ...campaigns(specs, size),
    ...overQuota(specs, size, names),
    ...overRate(specs, size),
    ...secondDay(specs, size, random, names),
    ...resets(specs, size),
  ];
  return actions.sort((a, b) => a.at - b.at);
}

/** The address of a contact: nobody else writes to it. */
export function contactAddress(tenant: number, n: number): string {
  return `ok-contact${tenant}x${n}@${recipientDomain('ok', n)}`;
}

function createNames(random: Random, more: Partial<Record<Kind, number>>): Names {
  const shares = KIND_SHARES.map(([kind, share]) => [kind, share + (more[kind] ?? 0)] as const);
  let n = 0;
  return () => {
    const kind = pick(shares, ([, share]) => share, random)[0];
    n += 1;
    return `${kind}-${n}@${recipientDomain(kind, n)}`;
  };
}

function mixedMail(specs: TenantSpec[], size: LoadSize, random: Random, names: Names): Action[] {
  const domains = specs.flatMap((spec, tenant) =>
    spec.part === 'mixed' ? spec.domains.map((domain) => ({ tenant, domain })) : [],
  );
  const ways = Object.entries(WAYS) as [Way, number][];
  return [...times(size, size.perSecond, random)].map((at) => {
    const { tenant, domain } = pick(domains, (one) => one.domain.weight, random);
    const way = pick(ways, ([, share]) => share, random)[0];
    const several = way === 'batch' ? 2 + Math.floor(random() * 14) : random() < 0.06 ? 2 : 1;
    const once = random() < ONCE;
    const copies =
      once && random() < (size.copies ?? COPIES.share) ? 2 + Math.floor(random() * (COPIES.most - 1)) : 1;
    const recipients = Array.from({ length: several }, names);
    const key = Math.floor(random() * SEND_KEYS);
    const clashes = once && way === 'rest' && random() < CLASHES;
    return { at, tenant, do: 'send', way, domain: domain.name, recipients, key, once, copies, clashes };
  });
}

function pick<T>(list: readonly T[], weight: (one: T) => number, random: Random): T {
  let point = random() * list.reduce((sum, one) => sum + weight(one), 0);
  for (const one of list) if ((point -= weight(one)) < 0) return one;
  return list.at(-1)!;
}
