// The sending domain as delivery needs it for every message: may it send, and with which keys does it sign.
// State is believed for less than a second, so that a lost DKIM record or a pause stops mail at once; look-ups share
// queries; opened private keys are kept, because they never change.

import { createPrivateKey, type KeyObject } from 'node:crypto';

import { createBatchedLookup } from '../base/batched-lookup.ts';
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import { deriveKeys, unseal } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import { createLookupCache } from '../base/lookup-cache.ts';
import type { BrakeCause } from '../message/brake-cause.ts';
import type { BrakeState } from '../message/brake-state.ts';
import { selectSealed, selectSigningStates, type SigningState } from './dkim-store.ts';
import {
  complaintAddress,
  returnPathDomain,
  trackingDomain,
  type DkimAlgorithm,
  type DomainStatus,
} from './domain.ts';
import { dkimRecordKey } from './records.ts';

/** A key that signs. */
interface SigningKey {
  domain: string;
  selector: string;
  algorithm: DkimAlgorithm;
  privateKey: KeyObject;
}

/** A domain as delivery sees it. */
interface SigningDomain {
  name: string;
  status: DomainStatus;
  paused: boolean;
  /** Its tenant is. */
  suspended: boolean;
  brake: BrakeState;
  /** What moved its brake last; null while that is off. */
  brakeCause: BrakeCause | null;
  returnPathDomain: string;
  /** Null unless the customer wants it in every message. */
  cfblAddress: string | null;
  /** The pool that it names for its mail. */
  pool: string | null;
  /** Null while it is not live: links then lead over our own host. */
  trackingDomain: string | null;
  dkimKeys: SigningKey[];
}

/** The domains of one process. */
export interface SigningDomains {
  /** Null when there is no such domain of this tenant. Throws when the database is unavailable. */
  get(tenantId: string, domainId: string): Promise<SigningDomain | null>;
  /** Reads it anew next time: somebody says that it changed. */
  forget(tenantId: string, domainId: string): void;
}

const BELIEVED_MS = 900;
const CACHED_DOMAINS = 20_000; // about 1 KB each
const CACHED_KEYS = 20_000; // about 4 KB each
const MAX_BATCH = 500;

interface Question {
  tenantId: string;
  domainId: string;
}

/** Makes it. Asks nothing before the first `get`. */
export function createSigningDomains(deps: {
  db: Database;
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
  log: Logger;
}): SigningDomains {
  const keyring = createKeyring(deps);
  const lookup = createLookupCache<SigningDomain | null>({
    maxAgeMs: BELIEVED_MS,
    maxEntries: CACHED_DOMAINS,
  });
  const ask = createBatchedLookup<Question, SigningDomain | null>({
    read: (questions) => read(deps.db, keyring, questions),
    isStoreDown: isDatabaseAway,
    maxItems: MAX_BATCH,
  });
  return {
    get: (tenantId, domainId) => lookup(`${tenantId} ${domainId}`, () => ask({ tenantId, domainId })),
    forget: (tenantId, domainId) => lookup.forget(`${tenantId} ${domainId}`),
  };
}

/**
 * Makes a `get` without a batch and a cache of states; only opened keys are kept. For a database that depends on the current
 * tenant. It throws as that does.
 */
export function createReadSigningDomain(
  deps: Parameters<typeof createSigningDomains>[0],
): SigningDomains['get'] {
  const keyring = createKeyring(deps);
  return async (tenantId, domainId) => {
    const question = { tenantId, domainId };
    return (await read(deps.db, keyring, [question]))(question);
  };
}

async function read(db: Database, keyring: Keyring, questions: Question[]) {
  const states = await selectSigningStates(db.pool, questions);
  await keyring.open(states.flatMap((state) => state.keys.map((key) => key.id)));
  const found = new Map(states.map((state) => [`${state.tenantId} ${state.domainId}`, state]));
  return ({ tenantId, domainId }: Question): SigningDomain | null => {
    const state = found.get(`${tenantId} ${domainId}`);
    if (!state) return null;
    if (!canSign(state, keyring)) throw new Error(`the DKIM key of ${state.name} is not readable`);
    return toSigningDomain(state, keyring);
  };
}

// Mail must not go out unsigned because of a wrong MASTER_KEY: it waits until somebody has put that right.
function canSign(state: SigningState, keyring: Keyring): boolean {
  return state.keys.every((key) => key.algorithm !== 'rsa-sha256' || keyring.get(key.id) !== undefined);
}

function toSigningDomain(state: SigningState, keyring: Keyring): SigningDomain {
  const { name, recordStatus } = state;
  return {
    name,
    status: state.status,
    paused: state.warmupState === 'paused',
    suspended: state.isSuspended,
    brake: state.brake,
    brakeCause: state.brakeCause,
    returnPathDomain: returnPathDomain(name),
    cfblAddress: state.cfblEnabled ? complaintAddress(name) : null,
    pool: state.pool,
    trackingDomain: state.trackingHostLive ? trackingDomain(name) : null,
    dkimKeys: state.keys.flatMap(({ id, selector, algorithm }) => {
      // An Ed25519 signature whose record is missing would only add a failure to every message.
      const seen = recordStatus[dkimRecordKey(selector)]?.status === 'found';
      const privateKey = algorithm === 'rsa-sha256' || seen ? keyring.get(id) : undefined;
      return privateKey ? [{ domain: name, selector, algorithm, privateKey }] : [];
    }),
  };
}

interface Keyring {
  /** Reads and opens the keys that are not open yet. One that cannot be opened is logged and left out. */
  open(ids: string[]): Promise<void>;
  get(id: string): KeyObject | undefined;
}

function createKeyring(deps: Parameters<typeof createSigningDomains>[0]): Keyring {
  const sealKeys = deriveKeys(deps.config, 'secret-box');
  const opened = new Map<string, KeyObject>();
  const openOne = (id: string, sealed: Buffer) => {
    try {
      opened.set(id, createPrivateKey({ key: unseal(sealKeys, sealed), format: 'der', type: 'pkcs8' }));
    } catch (error) {
      deps.log.error({ err: error, key: id }, 'a DKIM key cannot be opened');
    }
  };
  return {
    async open(ids) {
      const missing = ids.filter((id) => !opened.has(id));
      for (const id of ids) {
        const key = opened.get(id);
        if (key && opened.delete(id)) opened.set(id, key); // to the young end
      }
      if (missing.length === 0) return;
      for (const [id, sealed] of await selectSealed(deps.db.pool, missing)) openOne(id, sealed);
      while (opened.size > CACHED_KEYS) opened.delete(opened.keys().next().value as string);
    },
    get: (id) => opened.get(id),
  };
}
