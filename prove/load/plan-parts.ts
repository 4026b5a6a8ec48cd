// What clients do beside the mixed mail: people who want no more mail, mail from the world, campaigns, and tenants who want
// more than they may.

import { recipientDomain } from '../outside.ts';
import type { Kind } from '../sink/verdicts.ts';
import { times, type Action, type LoadSize, type Names, type Random, type Way } from './action.ts';
import { personAddress, SECOND_DAY, SEND_KEYS, type DomainSpec, type TenantSpec } from './world.ts';

const INBOUND_PER_SECOND = 1;
const BURST = { everyMs: 20_000, sessions: 32 };
/** Messages of each session of a burst. */
export const BURST_MESSAGES = 3;
const VICTIMS_EVERY_MS = 6_000;
const QUOTA = { perMinute: 225, least: 1_300, batch: 20 }; // of a plan that has 1,000 a month
const SECOND_DAY_PER_SECOND = { raised: 3, bouncing: 1 }; // some 115 a day where a raised cap allows 100
const SECOND_DAY_WAYS: Way[] = ['rest', 'grpc', 'stream', 'submission'];
const SLOW = 0.3; // of the recipients of the domain that is raised: its mail is in flight when the day ends
const BOUNCED = 0.12; // of the recipients of the domain that bounces: more than the brake and the ramp allow
const TESTS_EVERY_MS = 9_000;
const RESETS_EVERY_MS = 65_000; // 20 an hour of an address are allowed
const FIRST_RESET_MS = 5_000;
const RATE = { batch: 15, everyMs: 500, forMs: 65_000, pauseMs: 300_000 }; // 1,800 a minute where 600 are allowed

/** Recipients who get mail, are suppressed, and are sent more. With every second one a retry is due then, too. */
export function victims(specs: TenantSpec[], size: LoadSize, random: Random): Action[] {
  const mixed = placesOf(specs, 'mixed');
  const everyMs = size.victimsEveryMs ?? VICTIMS_EVERY_MS;
  const count = Math.floor((size.seconds * 1_000) / everyMs);
  return Array.from({ length: count }, (_, v): Action[] => {
    const begin = v * everyMs;
    const tenant = mixed[v % mixed.length]!;
    const kind = v % 2 === 0 ? 'ok' : 'never';
    const recipient = `${kind}-victim${v}@${recipientDomain(kind, v)}`;
    const domain = largest(specs[tenant]!.domains).name;
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
        clashes: false,
      };
    });
    return [...sends, { at: begin + 6_000, tenant, do: 'suppress', recipient }];
  }).flat();
}

/** Mail from the world, up to 120 KB. */
export function inboundMail(specs: TenantSpec[], size: LoadSize, random: Random): Action[] {
  const receiving = specs.flatMap((spec, tenant) => (spec.inbound === null ? [] : [{ tenant, spec }]));
  return [...times(size, INBOUND_PER_SECOND, random)].map((at, n) => {
    const { tenant, spec } = receiving[n % receiving.length]!;
    const domain = spec.domains[n % spec.domains.length]!.name;
    const lines = Math.floor(2 ** (1 + random() * 11));
    return { at, tenant, do: 'receive', domain, recipient: `in-${n}@${domain}`, lines, session: null };
  });
}

/** Many sessions from the world at the same moment, each with several messages, so that some are accepted together. */
export function inboundBursts(specs: TenantSpec[], { seconds }: LoadSize): Action[] {
  const receiving = specs.flatMap((spec, tenant) => (spec.inbound === null ? [] : [{ tenant, spec }]));
  return Array.from({ length: Math.floor((seconds * 1_000) / BURST.everyMs) }, (_, b) =>
    Array.from({ length: BURST.sessions * BURST_MESSAGES }, (_one, n): Action => {
      const { tenant, spec } = receiving[(b + n) % receiving.length]!;
      const domain = spec.domains[n % spec.domains.length]!.name;
      const session = `${b} ${n % BURST.sessions}`;
      const recipient = `burst-${b}-${n}@${domain}`;
      return { at: (b + 0.5) * BURST.everyMs, tenant, do: 'receive', domain, recipient, lines: 3, session };
    }),
  ).flat();
}

/** One campaign of each tenant that has a list. */
export function campaigns(specs: TenantSpec[], { seconds }: LoadSize): Action[] {
  const having = specs.flatMap((spec, tenant) => (spec.contacts > 0 ? [{ tenant, spec }] : []));
  return having.map(({ tenant, spec }, n) => {
    const at = (seconds * 1_000 * (n + 0.5)) / having.length;
    return { at, tenant, do: 'campaign', domain: largest(spec.domains).name };
  });
}

/** More than the smallest plan has for a month, all the time: a long run sees two months or more. */
export function overQuota(specs: TenantSpec[], { seconds }: LoadSize, names: Names): Action[] {
  return placesOf(specs, 'quota').flatMap((tenant) => {
    const count = Math.max(QUOTA.least, (QUOTA.perMinute * seconds) / 60) / QUOTA.batch;
    return Array.from({ length: Math.floor(count) }, (_, n): Action => {
      const at = (seconds * 1_000 * n) / count;
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
        clashes: false,
      };
    });
  });
}

/** More than a key may send, to people who are suppressed: the rate limit counts them, and nothing is to be delivered. */
export function overRate(specs: TenantSpec[], { seconds }: LoadSize): Action[] {
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
        clashes: false,
      });
    }
    return actions;
  });
}

/** Mail of the domains whose tier and state change every day (second-day.ts), and tests to somebody of the tenant. */
export function secondDay(specs: TenantSpec[], size: LoadSize, random: Random, names: Names): Action[] {
  return placesOf(specs, 'second-day').flatMap((tenant) => {
    let n = 0;
    const special = (share: number, kinds: Kind[]) => {
      if (random() >= share) return names();
      const kind = kinds[n % kinds.length]!;
      return `${kind}-second${n++}@${recipientDomain(kind, n)}`;
    };
    const one = (at: number, domain: string, recipient: string): Action => {
      const way = SECOND_DAY_WAYS[Math.floor(random() * SECOND_DAY_WAYS.length)]!;
      const about = { way, domain, recipients: [recipient], key: Math.floor(random() * SEND_KEYS) };
      return { at, tenant, do: 'send', ...about, once: true, copies: 1, clashes: false };
    };
    const tests = Array.from({ length: Math.floor((size.seconds * 1_000) / TESTS_EVERY_MS) }, (_, i) => ({
      ...one(i * TESTS_EVERY_MS, SECOND_DAY.raised, personAddress('tester', tenant)),
      way: 'rest' as const,
    }));
    return [
      ...[...times(size, SECOND_DAY_PER_SECOND.raised, random)].map((at) =>
        one(at, SECOND_DAY.raised, special(SLOW, ['late', 'slow'])),
      ),
      ...[...times(size, SECOND_DAY_PER_SECOND.bouncing, random)].map((at) =>
        one(at, SECOND_DAY.bouncing, special(BOUNCED, ['unknown'])),
      ),
      ...tests,
    ];
  });
}

/** Somebody of each tenant after the other asks for a new password. */
export function resets(
  specs: TenantSpec[],
  { seconds, resetsEveryMs = RESETS_EVERY_MS }: LoadSize,
): Action[] {
  const count = Math.ceil((seconds * 1_000 - FIRST_RESET_MS) / resetsEveryMs);
  return Array.from({ length: Math.max(count, 0) }, (_, n) => ({
    at: FIRST_RESET_MS + n * resetsEveryMs,
    tenant: n % specs.length,
    do: 'reset',
  }));
}

function placesOf(specs: TenantSpec[], part: TenantSpec['part']): number[] {
  return specs.flatMap((spec, n) => (spec.part === part ? [n] : []));
}

// Mail of these is not to wait for a cap.
function largest(domains: DomainSpec[]): DomainSpec {
  return domains.at(-1)!;
}
