// Who sends in a run: eight tenants with five domains each, at tiers from the first on. Some tiers are held. The first domain
// of each tenant that sends all the time, and the second of one of them, get more than their cap on every day of the run;
// tiers that are not held rise as the ramp lets them. A ninth tenant has its second day every day: an operator raises one of
// its domains and lowers it again; the other one bounces, is braked, paused and resumed, and sends the service's own mail.

import { recipientDomain } from '../outside.ts';

/** What a tenant is there for. */
type Part =
  | 'mixed' // all ways to send and receive
  | 'second-day' // its domains are raised, lowered, braked, paused and resumed with mail waiting
  | 'quota' // uses up the month of the smallest plan
  | 'rate'; // asks faster than its key may

/** A domain to make. */
export interface DomainSpec {
  name: string;
  tier: number;
  held: boolean;
  /** Its share of all mail. */
  weight: number;
}

/** A tenant to make. */
export interface TenantSpec {
  name: string;
  plan: string;
  part: Part;
  domains: DomainSpec[];
  /** Where its inbound mail goes; null without any. */
  inbound: 'webhook' | 'mailbox' | null;
  /** Contacts of its list, for campaigns; 0 without one. */
  contacts: number;
}

/** Keys of a tenant, by what they are for: limits count by key. */
export const SEND_KEYS = 3;
export const READ_KEYS = 12;

/** The tenant of the second day, and its domains. */
export const SECOND_DAY = { tenant: 'tenant9', raised: 'd1.tenant9.test', bouncing: 'd2.tenant9.test' };
/** SYSTEM_MAIL_FROM of the run. */
export const SYSTEM_MAIL_FROM = `Postrider <no-reply@${SECOND_DAY.bouncing}>`;

const TIERS = [
  { tier: 0, held: true, weight: 20 }, // a cap of 50: at 9 requests a second it is asked for some 65 a day
  { tier: 1, held: true, weight: 2 },
  { tier: 2, held: true, weight: 1 },
  { tier: 3, held: false, weight: 1 },
  { tier: 5, held: false, weight: 1 },
];
const FULL_SECOND = { tenant: 1, weight: 42 }; // a cap of 100, asked for some 135 a day

/** The tenants of a run. `contacts` is the size of a campaign. */
export function tenantSpecs(contacts: number): TenantSpec[] {
  const others = Array.from({ length: 8 }, (_, n): TenantSpec => {
    const name = `tenant${n + 1}`;
    const domains = TIERS.map((one, d) => ({ ...one, name: `d${d + 1}.${name}.test` }));
    if (n === FULL_SECOND.tenant) domains[1]!.weight = FULL_SECOND.weight;
    if (n === 6) return { name, plan: 'free', part: 'quota', domains, inbound: null, contacts: 0 };
    if (n === 7) return { name, plan: 'scale', part: 'rate', domains, inbound: null, contacts: 0 };
    return {
      name,
      plan: 'scale',
      part: 'mixed',
      domains,
      inbound: n % 2 === 0 ? 'webhook' : 'mailbox',
      contacts: n < 3 ? contacts : 0,
    };
  });
  return [...others, secondDay()];
}

function secondDay(): TenantSpec {
  const domain = (name: string, tier: number) => ({ name, tier, held: false, weight: 1 });
  const domains = [domain(SECOND_DAY.raised, 0), domain(SECOND_DAY.bouncing, 3)];
  return { name: SECOND_DAY.tenant, plan: 'scale', part: 'second-day', domains, inbound: null, contacts: 0 };
}

/** The address of somebody of a tenant, at a server that takes all mail. */
export function personAddress(who: 'owner' | 'person' | 'tester', tenant: number): string {
  return `ok-${who}${tenant}@${recipientDomain('ok', tenant)}`;
}
