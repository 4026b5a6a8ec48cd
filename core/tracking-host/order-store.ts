// Orders of certificates in PostgreSQL. One process at a time works on an order: it has the claim, and whoever has an older
// one writes nothing.
// SQL by hand: claims with a version, and the count of orders in one statement.

import type { Queryable } from '../db/pool.ts';
import type { HostCertificate } from './certificate.ts';
import { CLOCK, later } from '../db/citus-forms.ts';

/** The claim of a host that needs a certificate. */
export interface OrderClaim {
  domainId: string;
  tenantId: string;
  name: string;
  claimVersion: number;
  /** Of an order under way. */
  orderUrl: string | null;
  sealedOrderKey: Buffer | null;
  failures: number;
}

/** What is known of an order after a step. */
export interface OrderProgress {
  orderUrl: string;
  sealedOrderKey?: Buffer;
  challenge?: { token: string; answer: string };
}

/** Our account at a directory. */
export interface AcmeAccount {
  sealedKey: Buffer;
  accountUrl: string | null;
}

const IN_MS = (parameter: string) => `now() + make_interval(secs => ${parameter}::float8 / 1000)`;
const OURS = 'tenant_id = $1 and domain_id = $2 and claim_version = $3';
const of = ({ tenantId, domainId, claimVersion }: OrderClaim) => [tenantId, domainId, claimVersion];

/** Claims the host whose order has been due longest, for a lease; null when none is. */
export async function claimOrder(db: Queryable, leaseMs: number): Promise<OrderClaim | null> {
  const { rows } = await db.query<OrderClaim>({
    name: 'tracking-host.claim-order',
    text: `update tracking_hosts set claim_version = claim_version + 1, order_at = ${IN_MS('$1')}
           where domain_id = (
             select h.domain_id from tracking_hosts h
             join domains d on d.id = h.domain_id and d.tenant_id = h.tenant_id
             where h.order_at <= now() and d.status = 'verified'
               and d.record_status -> 'tracking' ->> 'status' = 'found'
             order by h.order_at limit 1 for update of h skip locked)
           returning domain_id as "domainId", tenant_id as "tenantId", name, claim_version as "claimVersion",
             order_url as "orderUrl", sealed_order_key as "sealedOrderKey", failures`,
    values: [leaseMs],
  });
  return rows[0] ?? null;
}

/** Writes a step of an order; the next is due in `dueInMs`. False when the claim was lost. */
export async function writeProgress(
  db: Queryable,
  claim: OrderClaim,
  { orderUrl, sealedOrderKey, challenge }: OrderProgress,
  dueInMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'tracking-host.progress',
    text: `update tracking_hosts
           set order_url = $4, sealed_order_key = coalesce($5, sealed_order_key),
             challenge_token = coalesce($6, challenge_token), challenge_answer = coalesce($7, challenge_answer),
             order_at = ${IN_MS('$8')}
           where ${OURS}`,
    values: [
      ...of(claim),
      orderUrl,
      sealedOrderKey ?? null,
      challenge?.token ?? null,
      challenge?.answer ?? null,
      dueInMs,
    ],
  });
  return rowCount === 1;
}

/** Gives an order up, or for now: with `keep` it goes on later. The next step is due in `dueInMs`. */
export async function writeProblem(
  db: Queryable,
  claim: OrderClaim,
  { problem, failed, keep }: { problem: string | null; failed: boolean; keep: boolean },
  dueInMs: number,
): Promise<void> {
  const unless = (column: string) => `${column} = case when $6::bool then ${column} end`;
  await db.query({
    name: 'tracking-host.problem',
    text: `update tracking_hosts
           set problem = $4, failures = least(failures + $5::int, 100), ${unless('order_url')},
             ${unless('sealed_order_key')}, ${unless('challenge_token')}, ${unless('challenge_answer')},
             order_at = ${IN_MS('$7')}
           where ${OURS}`,
    values: [...of(claim), problem, failed ? 1 : 0, keep, dueInMs],
  });
}

/** Stores the certificate that was ordered; the next one is ordered when it is to be renewed. False when the claim was lost. */
export async function storeOrdered(
  db: Queryable,
  claim: OrderClaim,
  certificate: HostCertificate,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'tracking-host.store-ordered',
    text: `update tracking_hosts
           set certificate = $4, certificate_fingerprint = $5, certificate_expires_at = $6, sealed_key = $7, order_at = $8,
             order_url = null, sealed_order_key = null, challenge_token = null, challenge_answer = null, failures = 0,
             problem = null
           where ${OURS}`,
    values: [
      ...of(claim),
      certificate.chain,
      certificate.fingerprint,
      certificate.expiresAt,
      certificate.sealedKey,
      certificate.renewAt,
    ],
  });
  return rowCount === 1;
}

/** The account at a directory, made with this key when there is none: all processes have the same. */
export async function openAccount(
  db: Queryable,
  directoryUrl: string,
  newKey: () => Buffer,
): Promise<AcmeAccount> {
  const read = async () => {
    const { rows } = await db.query<AcmeAccount>({
      name: 'acme-account.read',
      text: 'select sealed_key as "sealedKey", account_url as "accountUrl" from acme_accounts where directory_url = $1',
      values: [directoryUrl],
    });
    return rows[0];
  };
  const known = await read();
  if (known) return known;
  await db.query({
    name: 'acme-account.insert',
    text: `insert into acme_accounts (directory_url, sealed_key, orders_since) values ($1, $2, now())
           on conflict (directory_url) do nothing`,
    values: [directoryUrl, newKey()],
  });
  return (await read())!;
}

/** Writes what the directory calls our account; null when it says that it has none. */
export async function writeAccountUrl(
  db: Queryable,
  directoryUrl: string,
  accountUrl: string | null,
): Promise<void> {
  await db.query({
    name: 'acme-account.url',
    text: 'update acme_accounts set account_url = $2 where directory_url = $1',
    values: [directoryUrl, accountUrl],
  });
}

/** Counts an order about to be begun. False when there were as many as a window allows. */
export async function countOrder(
  db: Queryable,
  directoryUrl: string,
  limit: { orders: number; hours: number },
): Promise<boolean> {
  const isOver = `orders_since <= ${later('clock.now', '-make_interval(hours => $3)')}`;
  const { rowCount } = await db.query({
    name: 'acme-account.count-order',
    text: `update acme_accounts
           set orders = case when ${isOver} then 1 else orders + 1 end,
             orders_since = case when ${isOver} then clock.now else orders_since end
           from ${CLOCK}
           where directory_url = $1 and (orders < $2 or ${isOver})`,
    values: [directoryUrl, limit.orders, limit.hours],
  });
  return rowCount === 1;
}
