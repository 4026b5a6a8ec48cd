// One step of ordering a certificate: new order, challenge, finalize, download. What the next step needs is written before
// whatever cannot be taken back, so any process goes on where another died: docs/crashes-scheduler.md. The key of a
// certificate is stored before the directory signs for it, so that no certificate is lost.

import { generateKeyPairSync } from 'node:crypto';

import type { Config } from '../base/config.ts';
import type { Fail } from '../base/failpoint.ts';
import type { Logger } from '../base/log.ts';
import { deriveKeys, seal, unseal } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { AcmeProblem, makeRequest, openAcme, registerAccount, type Acme } from './acme.ts';
import { makeStored, type HostCertificate } from './certificate.ts';
import {
  claimOrder,
  countOrder,
  openAccount,
  storeOrdered,
  writeAccountUrl,
  writeProblem,
  writeProgress,
  type OrderClaim,
} from './order-store.ts';

/** What ordering needs. */
export interface OrderDeps {
  db: Database;
  config: Pick<Config, 'ACME_EMAIL' | 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'WORKER_LEASE_MS'> & {
    ACME_DIRECTORY_URL: string;
  };
  log: Logger;
  /** Steps at which a test kills the process. */
  fail: Fail;
}

const POLL_MS = 1_000; // between steps; a validation takes a directory a few seconds
/**
 * Minutes until a host is tried again after an order that came to nothing, by how many did in a row. Let's Encrypt allows
 * five failed validations of a name in an hour; these are four in the first.
 */
export const RETRY_MINUTES = [1, 5, 20, 60, 240, 1_440] as const;
/** Minutes until a directory is asked again that did not answer, or that says it is asked too much. */
const DIRECTORY_RETRY_MINUTES = { away: 1, rateLimited: 60 } as const;
/** Let's Encrypt allows 300 new orders of an account in three hours; two of our windows may lie within three hours. */
const NEW_ORDERS = { orders: 150, hours: 3 } as const;
const MINUTE_MS = 60_000;
const MAX_DETAIL_CHARS = 300;

/** Works on the order that has been due longest. False when none is due. */
export async function orderNext(deps: OrderDeps): Promise<boolean> {
  const claim = await claimOrder(deps.db.pool, deps.config.WORKER_LEASE_MS);
  if (claim === null) return false;
  try {
    await step(deps, claim);
  } catch (error) {
    const outcome = await judge(deps, claim, error);
    if (outcome === null) throw error;
    const { dueInMs, ...rest } = outcome;
    deps.log.warn(
      { err: error, host: claim.name, again_in_ms: dueInMs },
      'a certificate could not be ordered',
    );
    await writeProblem(deps.db.pool, claim, rest, dueInMs);
  }
  return true;
}

/** The directory said no to this host. */
class OrderRefused extends Error {}
/** We have begun as many orders as is polite. */
class TooManyOrders extends Error {}

async function step(deps: OrderDeps, claim: OrderClaim): Promise<void> {
  const { pool } = deps.db;
  const acme = await openDirectory(deps);
  if (claim.orderUrl === null) return begin(deps, claim, acme);
  const order = await acme.getOrder({ url: claim.orderUrl } as Parameters<Acme['getOrder']>[0]);
  switch (order.status) {
    case 'pending':
      return answerChallenge(deps, claim, acme, order);
    case 'ready': {
      const key = openKey(deps, claim.sealedOrderKey) ?? newKey();
      const sealedOrderKey = sealKey(deps, key);
      if (!(await writeProgress(pool, claim, { orderUrl: order.url, sealedOrderKey }, POLL_MS))) return;
      await acme.finalizeOrder(order, await makeRequest(claim.name, key));
      deps.fail('tracking-host.after-finalize');
      return;
    }
    case 'processing':
      await writeProgress(pool, claim, { orderUrl: order.url }, POLL_MS);
      return;
    case 'valid':
      return store(deps, claim, await acme.getCertificate(order));
    case 'invalid':
      throw new OrderRefused(await whyInvalid(acme, order));
    default:
      return order.status satisfies never;
  }
}

type Order = Awaited<ReturnType<Acme['getOrder']>>;

async function begin(deps: OrderDeps, claim: OrderClaim, acme: Acme): Promise<void> {
  const { db, config, fail } = deps;
  if (!(await countOrder(db.pool, config.ACME_DIRECTORY_URL, NEW_ORDERS))) throw new TooManyOrders();
  const order = await acme.createOrder({ identifiers: [{ type: 'dns', value: claim.name }] });
  fail('tracking-host.after-order');
  if (!(await writeProgress(db.pool, claim, { orderUrl: order.url }, POLL_MS))) return;
  deps.log.info({ host: claim.name }, 'a certificate is being ordered');
  if (order.status === 'pending') await answerChallenge(deps, claim, acme, order);
}

// The answer is in the database, where any api finds it, before the directory is told to ask.
async function answerChallenge(deps: OrderDeps, claim: OrderClaim, acme: Acme, order: Order): Promise<void> {
  const [authorization] = await acme.getAuthorizations(order);
  const challenge = authorization?.challenges.find(({ type }) => type === 'http-01');
  if (!challenge) throw new OrderRefused('it offers no HTTP-01 challenge');
  const { token } = challenge;
  const answer = await acme.getChallengeKeyAuthorization(challenge);
  const progress = { orderUrl: order.url, challenge: { token, answer } };
  if (!(await writeProgress(deps.db.pool, claim, progress, POLL_MS))) return;
  if (challenge.status === 'pending') await acme.completeChallenge(challenge);
}

async function store(deps: OrderDeps, claim: OrderClaim, chain: string): Promise<void> {
  const { fail, db, config, log } = deps;
  const key = openKey(deps, claim.sealedOrderKey);
  if (key === null) throw new OrderRefused('the key of the order is not there');
  const certificate = checked(claim.name, chain, key, deriveKeys(config, 'secret-box')[0]);
  fail('tracking-host.before-store');
  if (await storeOrdered(db.pool, claim, certificate))
    log.info({ host: claim.name, expires: certificate.expiresAt }, 'a tracking host has a certificate');
}

function checked(...pair: Parameters<typeof makeStored>): HostCertificate {
  try {
    return makeStored(...pair);
  } catch (error) {
    throw new OrderRefused(`what it signed is no use: ${(error as Error).message}`);
  }
}

async function whyInvalid(acme: Acme, order: Order): Promise<string> {
  const authorizations = await acme.getAuthorizations(order);
  const errors = authorizations.flatMap(({ challenges }) =>
    challenges.map((one) => (one as { error?: { detail?: string } }).error?.detail),
  );
  return errors.find((detail) => detail !== undefined) ?? 'the order is invalid';
}

interface Outcome {
  problem: string | null;
  /** Whether the host's own waits get longer. */
  failed: boolean;
  /** Whether the order goes on later. */
  keep: boolean;
  dueInMs: number;
}

// What becomes of an order after an error; null when it is not the directory's.
async function judge({ db, config }: OrderDeps, claim: OrderClaim, error: unknown): Promise<Outcome | null> {
  const url = config.ACME_DIRECTORY_URL;
  const directory = new URL(url).host;
  const minutes = RETRY_MINUTES[Math.min(claim.failures, RETRY_MINUTES.length - 1)]!;
  const host = { failed: true, keep: false, dueInMs: minutes * MINUTE_MS };
  const later = (again: number) => ({ failed: false, keep: true, dueInMs: again * MINUTE_MS });
  const { away, rateLimited } = DIRECTORY_RETRY_MINUTES;
  if (error instanceof OrderRefused)
    return {
      ...host,
      problem:
        `${directory} could not confirm ${claim.name}: ${shown(error.message)} ` +
        `Port 80 of ${claim.name} must lead to this service (its HTTP port). Tried again in ${inWords(minutes)}.`,
    };
  if (error instanceof TooManyOrders || (error instanceof AcmeProblem && error.type === 'rateLimited'))
    return {
      ...later(rateLimited),
      problem: `Many certificates are being ordered, and ${directory} limits how fast. Tried again in ${inWords(rateLimited)}; nothing to do.`,
    };
  if (error instanceof AcmeProblem && error.type === 'accountDoesNotExist') {
    await writeAccountUrl(db.pool, url, null);
    return {
      failed: false,
      keep: false,
      dueInMs: POLL_MS,
      problem: `${directory} does not know our account. It is being registered again.`,
    };
  }
  // Another process was quicker: what it did is seen by the next step.
  if (error instanceof AcmeProblem && error.type === 'orderNotReady')
    return { failed: false, keep: true, dueInMs: POLL_MS, problem: null };
  if (error instanceof AcmeProblem && error.status < 500)
    return {
      ...host,
      problem: `${directory} refused the order: ${shown(error.message)} Tried again in ${inWords(minutes)}.`,
    };
  if (error instanceof AcmeProblem || isNoAnswer(error))
    return {
      ...later(away),
      problem: `${directory}, which signs our certificates, does not answer. Tried again in ${inWords(away)}; nothing to do.`,
    };
  return null;
}

// What fetch throws when there is no answer: its own TypeError, or the end of the time.
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed');
}

async function openDirectory({ db, config }: OrderDeps): Promise<Acme> {
  const { ACME_DIRECTORY_URL: directoryUrl, ACME_EMAIL } = config;
  const sealKeys = deriveKeys(config, 'secret-box');
  const account = await openAccount(db.pool, directoryUrl, () => seal(sealKeys[0], Buffer.from(newKey())));
  const accountKey = unseal(sealKeys, account.sealedKey).toString();
  let { accountUrl } = account;
  if (accountUrl === null) {
    accountUrl = await registerAccount({ directoryUrl, accountKey }, ACME_EMAIL);
    await writeAccountUrl(db.pool, directoryUrl, accountUrl);
  }
  return openAcme({ directoryUrl, accountKey, accountUrl });
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return privateKey;
}

function sealKey({ config }: OrderDeps, key: string): Buffer {
  return seal(deriveKeys(config, 'secret-box')[0], Buffer.from(key));
}

function openKey({ config }: OrderDeps, sealed: Buffer | null): string | null {
  return sealed && unseal(deriveKeys(config, 'secret-box'), sealed).toString();
}

// Others' words: printable, short, one sentence.
function shown(detail: string): string {
  const text = detail
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, MAX_DETAIL_CHARS)
    .trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function inWords(minutes: number): string {
  if (minutes < 60) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return minutes === 60 ? 'an hour' : `${minutes / 60} hours`;
}
