// Campaigns end to end for one test file: senders, api and schedulers as processes, a mail server that keeps what it
// gets, and one tenant per story.

import { Agent, request } from 'node:https';
import { inject } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { createKey } from '../../core/key/keys.ts';
import type { Account } from './factories.ts';
import { startService, type Service, type StartOptions } from './service.ts';
import { createStack, QUICK, shareStack, type Stack, type StackOptions } from './stack.ts';
import { waitUntil } from './wait.ts';
import { TESTER } from './actor.ts';

/** One tenant over REST. */
export interface Tenant extends Account {
  /** Asks below /api/v1 and gives the data; other than 2xx throws. */
  ask(method: string, path: string, body?: unknown): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  /** The same, with the status and the whole body. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }>; // oxlint-disable-line typescript/no-explicit-any
  /** Imports contacts from CSV and waits until that has ended. */
  importCsv(csv: string, query?: string): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  /** Waits until the campaign has this status, and gives it. */
  untilStatus(id: string, status: string, limitMs?: number): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
}

/** The running world. */
export interface CampaignWorld {
  stack: Stack;
  schedulers: Service[];
  addScheduler(env?: Record<string, string>, start?: StartOptions): Promise<Service>;
  makeTenant(options?: { plan?: string; tier?: number }): Promise<Tenant>;
  /** Mail that the sink accepted for addresses of a local part's prefix. */
  received(prefix: string): { rcptTo: string; raw: string }[];
  close(): Promise<void>;
}

const SCOPES = [
  'contacts:read',
  'contacts:write',
  'campaigns:read',
  'campaigns:write',
  'transactional:read',
  'templates:read',
  'templates:write',
  'transactional:send',
  'suppressions:read',
  'suppressions:write',
  'events:read',
  'reputation:read',
];
const LOOK_MS = 150; // counts are not free, and what is waited for needs the machine
const CALLS_PER_KEY = 50; // a key has 60 a minute of each class
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

let shared: Promise<unknown> | undefined;

/** The stack that test files share (`shareStack`), with schedulers that they share too. */
export async function shareCampaignWorld(): Promise<CampaignWorld> {
  const stack = await shareStack();
  const world = worldOf(stack);
  shared ??= startSchedulers(world, inject('copies'), { lasts: true });
  await shared;
  return { ...world, close: () => Promise.resolve() };
}

/** Starts it all for one file. */
export async function createCampaignWorld(
  options: StackOptions & { schedulers?: number } = {},
): Promise<CampaignWorld> {
  const stack = await createStack({ api: true, ...options, env: { ...QUICK, ...options.env } });
  const world = worldOf(stack);
  await startSchedulers(world, options.schedulers ?? inject('copies'));
  return world;
}

function startSchedulers(world: CampaignWorld, count: number, start?: StartOptions): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, () => world.addScheduler({}, start)));
}

function worldOf(stack: Stack): CampaignWorld {
  const schedulers: Service[] = [];
  return {
    stack,
    schedulers,
    addScheduler: async (more = {}, start = {}) => {
      const SENDER_ADDRESSES = stack.senderAddresses().join(',');
      const scheduler = await startService(
        'scheduler',
        { ...stack.context.env, SENDER_ADDRESSES, ...more },
        start,
      );
      schedulers.push(scheduler);
      return scheduler;
    },
    makeTenant: async (more = {}) => makeTenant(stack, await stack.makeAccount({ tier: 10, ...more })),
    received: (prefix) =>
      stack.sink.messages
        .filter((one) => one.rcptTo.startsWith(prefix))
        .map((one) => ({ rcptTo: one.rcptTo, raw: one.raw.toString('utf8') })),
    close: async () => {
      await Promise.all(schedulers.map((one) => one.kill()));
      await stack.close();
    },
  };
}

function makeTenant(stack: Stack, account: Account): Tenant {
  let key = '';
  let calls = 0;
  const call = async (method: string, path: string, body?: unknown, type = 'application/json') => {
    if (calls++ % CALLS_PER_KEY === 0) {
      const made = await createKey(stack.context, TESTER, {
        tenantId: account.tenantId,
        name: `key ${calls}`,
        scopes: SCOPES,
      });
      key = made.value;
    }
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return httpsCall(`${stack.baseUrl}${path}`, method, key, text, type);
  };
  const ask = async (method: string, path: string, body?: unknown, type?: string) => {
    const { status, json } = await call(method, path, body, type);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json.data;
  };
  return {
    ...account,
    call,
    ask,
    importCsv: async (csv, query = '') => {
      let made = await ask('POST', `/contacts/import${query}`, csv, 'text/csv');
      await waitUntil(
        async () => {
          await sleep(LOOK_MS);
          made = await ask('GET', `/contacts/imports/${made.id}`);
          return made.finished_at !== null;
        },
        { what: () => `the import to end: ${JSON.stringify(made)}` },
      );
      return made;
    },
    untilStatus: async (id, status, limitMs = 90_000) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- the data of an answer
      let campaign: any;
      await waitUntil(
        async () => {
          await sleep(LOOK_MS);
          campaign = await ask('GET', `/campaigns/${id}`);
          return campaign.status === status;
        },
        { limitMs, what: () => `${status}: ${JSON.stringify(campaign)}` },
      );
      return campaign;
    },
  };
}

function httpsCall(
  url: string,
  method: string,
  key: string,
  body: string | undefined,
  type: string,
  // oxlint-disable-next-line typescript/no-explicit-any -- the body of an answer
): Promise<{ status: number; json: any }> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
