// What clients do in a run, and when: the same seed gives the same plan. It is open loop: nothing waits for an answer
// before the next thing is asked.

import { seeded } from '../../local/simulate/behaviour.ts';
import { recipientDomain } from '../outside.ts';
import type { Kind } from '../sink/verdicts.ts';
import { SEND_KEYS, type DomainSpec, type TenantSpec } from './world.ts';

/** Ways to send one message, with their shares. */
const WAYS = { rest: 34, grpc: 16, stream: 18, graphql: 8, submission: 14, batch: 10 } as const;

/** One of them. */
type Way = keyof typeof WAYS;

/** Something that a client does. `tenant` is a place among the tenants. */
export type Action = { at: number; tenant: number } & (
  | SendAction
  | { do: 'suppress'; recipient: string }
  | { do: 'campaign'; domain: string }
  | { do: 'receive'; domain: string; recipient: string; lines: number }
);

/** Mail to send. */
export interface SendAction {
  do: 'send';
  way: Way;
  domain: string;
  recipients: string[];
  /** Place of the key among the tenant's. */
  key: number;
  /** With an idempotency key or an id of its own, so that it may be repeated. */
  once: boolean;
  /** So many clients ask for the very same at a time. */
  copies: number;
}

/** How much, and of what. */
export interface LoadSize {
  seed: number;
  seconds: number;
  /** Requests of the mixed tenants in a second. */
  perSecond: number;
  /** Recipients of a kind beside the usual ones, in thousandths. */
  more?: Partial<Record<Kind, number>>;
  /** Part of the requests with a key that several clients make at a time. */
  copies?: number;
}

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
const INBOUND_PER_SECOND = 1;
const VICTIMS_EVERY_MS = 6_000;
const QUOTA = { messages: 1_300, batch: 20, until: 0.6 }; // of a plan that has 1,000, in the first part of the run
const RATE = { batch: 15, everyMs: 500, forMs: 65_000, pauseMs: 300_000 }; // 1,800 a minute where 600 are allowed

/** The actions in the order of their times. */
export function planLoad(specs: TenantSpec[], size: LoadSize): Action[] {
  const random = seeded(size.seed);
  const names = createNames(random, size.more ?? {});
  const actions = [
    ...mixedMail(specs, size, random, names),
    ...victims(specs, size, random),
    ...inboundMail(specs, size, random),
    ...campaigns(specs, size),
    ...overQuota(specs, size, names),
    ...overRate(specs, size),
  ];
  return actions.sort((a, b) => a.at - b.at);
}

/** The address of a contact: nobody else writes to it. */
export function contactAddress(tenant: number, n: number): string {
  return `ok-contact${tenant}x${n}@${recipientDomain('ok', n)}`;
}

type Random = () => number;
type Names = () => string;

// Addresses that the run uses once.
function createNames(random: Random, more: Partial<Record<Kind, number>>): Names {
  const shares = KIND_SHARES.map(([kind, share]) => [kind, share + (more[kind] ?? 0)] as const);
  let n = 0;
  return () => {
    const kind = pick(shares, ([, share]) => share, random)[0];
    n += 1;
    return `${kind}-${n}@${recipientDomain(kind, n)}`;
  };
}

function* times({ seconds }: LoadSize, perSecond: number, random: Random): Generator<number> {
  for (let at = 0; ;) {
    at += (-Math.log(1 - random()) * 1_000) / perSecond;
    if (at >= seconds * 1_000) return;
    yield at;
  }
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
    return { at, tenant, do: 'send', way, domain: domain.name, recipients, key, once, copies };
  });
}

// Recipients who get mail, are suppressed, and are sent more. With every second one a retry is due then, too.
function victims(specs: TenantSpec[], size: LoadSize, random: Random): Action[] {
  const mixed = placesOf(specs, 'mixed');
  const count = Math.floor((size.seconds * 1_000) / VICTIMS_EVERY_MS);
  return Array.from({ length: count }, (_, v): Action[] => {
    const begin = v * VICTIMS_EVERY_MS;
    const tenant = mixed[v % mixed.length]!;
    const kind = v % 2 === 0 ? 'ok' : 'never';
    const recipient = `${kind}-victim${v}@${recipientDomain(kind, v)}`;
    const domain = roomy(specs[tenant]!.domains).name;
    const sends = Array.from({ length: 8 }, (): Action => {
      const at = begin + random() * 12_000;
      return {
        at,
        tenant,
        do: 'send',
        way: 'rest',
        domain,
        recipients: [recipient],
        key: 0,
        once: true,
        copies: 1,
      };
    });
    return [...sends, { at: begin + 6_000, tenant, do: 'suppress', recipient }];
  }).flat();
}

function inboundMail(specs: TenantSpec[], size: LoadSize, random: Random): Action[] {
  const receiving = specs.flatMap((spec, tenant) => (spec.inbound === null ? [] : [{ tenant, spec }]));
  return [...times(size, INBOUND_PER_SECOND, random)].map((at, n) => {
    const { tenant, spec } = receiving[n % receiving.length]!;
    const domain = spec.domains[n % spec.domains.length]!.name;
    const lines = Math.floor(2 ** (1 + random() * 11)); // up to 120 KB
    return { at, tenant, do: 'receive', domain, recipient: `in-${n}@${domain}`, lines };
  });
}

function campaigns(specs: TenantSpec[], { seconds }: LoadSize): Action[] {
  const having = specs.flatMap((spec, tenant) => (spec.contacts > 0 ? [{ tenant, spec }] : []));
  return having.map(({ tenant, spec }, n) => {
    const at = (seconds * 1_000 * (n + 0.5)) / having.length;
    return { at, tenant, do: 'campaign', domain: roomy(spec.domains).name };
  });
}

function overQuota(specs: TenantSpec[], { seconds }: LoadSize, names: Names): Action[] {
  return placesOf(specs, 'quota').flatMap((tenant) => {
    const count = QUOTA.messages / QUOTA.batch;
    return Array.from({ length: count }, (_, n): Action => {
      const at = (seconds * 1_000 * QUOTA.until * n) / count;
      const domain = specs[tenant]!.domains[n % specs[tenant]!.domains.length]!.name;
      const recipients = Array.from({ length: QUOTA.batch }, names);
      return {
        at,
        tenant,
        do: 'send',
        way: 'batch',
        domain,
        recipients,
        key: n % SEND_KEYS,
        once: true,
        copies: 1,
      };
    });
  });
}

// To people who are suppressed: counted by the rate limit like any other, and nothing has to be delivered.
function overRate(specs: TenantSpec[], { seconds }: LoadSize): Action[] {
  return placesOf(specs, 'rate').flatMap((tenant) => {
    const recipients = Array.from(
      { length: RATE.batch },
      (_, n) => `ok-rate${n}@${recipientDomain('ok', n)}`,
    );
    const domain = specs[tenant]!.domains.at(-1)!.name;
    const actions = recipients.map((recipient): Action => ({ at: 0, tenant, do: 'suppress', recipient }));
    for (let at = 10_000; at < seconds * 1_000; at += RATE.everyMs) {
      if ((at - 10_000) % RATE.pauseMs >= RATE.forMs) continue;
      actions.push({
        at,
        tenant,
        do: 'send',
        way: 'batch',
        domain,
        recipients,
        key: 0,
        once: true,
        copies: 1,
      });
    }
    return actions;
  });
}

function placesOf(specs: TenantSpec[], part: TenantSpec['part']): number[] {
  return specs.flatMap((spec, n) => (spec.part === part ? [n] : []));
}

function roomy(domains: DomainSpec[]): DomainSpec {
  return domains.at(-1)!;
}

function pick<T>(list: readonly T[], weight: (one: T) => number, random: Random): T {
  let point = random() * list.reduce((sum, one) => sum + weight(one), 0);
  for (const one of list) if ((point -= weight(one)) < 0) return one;
  return list.at(-1)!;
}
