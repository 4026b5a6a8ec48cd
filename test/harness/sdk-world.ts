// What the tests of the SDKs share: an api, a sender and an inbound, an account with a key, and a proxy between it and the client.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { firstCallCode } from '../../dashboard/src/pages/overview/first-call-code.ts';
import { TESTER } from './actor.ts';
import type { Account } from './factories.ts';
import { startFlakyProxy, type Fate, type FlakyProxy } from './flaky-proxy.ts';
import { writeTestCertificate } from './certificate-files.ts';
import { startCopies } from './service.ts';
import { createStack, type Stack } from './stack.ts';

/** One test file's. */
export interface SdkWorld {
  stack: Stack;
  account: Account;
  proxy: FlakyProxy;
  /** What the examples of the READMEs find in their environment. */
  env: Record<string, string>;
  /** How many messages the account has with this subject. */
  countMessages(subject: string): Promise<number>;
  close(): Promise<void>;
}

/** Starts it all. The client speaks HTTP to the proxy: the certificates of tests are of no authority. */
export async function createSdkWorld(): Promise<SdkWorld> {
  const stack = await createStack({ api: true }); // its own: another file's events would come first
  // Dispatches the events.
  const env = { ...stack.context.env, ...writeTestCertificate() };
  const inbounds = await startCopies('inbound', inject('copies'), env);
  const account = await stack.makeAccount({ tier: 5 });
  const { tenantId } = account;
  const key = await createKey(stack.context, TESTER, { tenantId, name: 'sdk', scopes: [...SCOPES] });
  const proxy = await startFlakyProxy(stack.baseUrl);
  return {
    stack,
    account,
    proxy,
    env: {
      POSTRIDER_API_KEY: key.value,
      POSTRIDER_BASE_URL: proxy.baseUrl,
      POSTRIDER_DOMAIN: account.domain,
    },
    countMessages: async (subject) => {
      const { rows } = await stack.context.db.pool.query<{ n: number }>(
        'select count(*)::int as n from messages where tenant_id = $1 and subject = $2',
        [tenantId, subject],
      );
      return rows[0]!.n;
    },
    close: async () => {
      await proxy.close();
      await Promise.all(inbounds.map((one) => one.kill()));
      await stack.close();
    },
  };
}

/** The first block of code of a README of `sdk/`. */
export function firstExample(client: 'python' | 'typescript'): string {
  const text = readFileSync(join(import.meta.dirname, '../../sdk', client, 'README.md'), 'utf8');
  return /```\w+\n(.*?)```/s.exec(text)![1]!;
}

/** The code of the first steps with a client, for the world's account. */
export function firstCode(id: 'client-node' | 'client-python', { account, env }: SdkWorld): string {
  const call = {
    base: env['POSTRIDER_BASE_URL']!,
    key: env['POSTRIDER_API_KEY']!,
    from: `hello@${account.domain}`,
    to: 'delivered@simulator.test',
    caFile: null,
  };
  return firstCallCode(call).find((one) => one.id === id)!.code;
}

/** A stream of events that breaks off behind the cursor of its second event, and the one that goes on. */
export function brokenStream(): Fate[] {
  const block = (cursor: string, userAgent: string) => {
    const event = {
      id: `evt_${cursor}`,
      type: 'open',
      message_id: 'msg_1',
      campaign_id: null,
      recipient: 'ann@example.net',
      domain: 'example.com',
      occurred_at: '2026-01-31T08:00:00.000Z',
      data: { user_agent: userAgent, ip: '192.0.2.1', machine_open: false },
    };
    return `id: ${cursor}\nevent: open\ndata: ${JSON.stringify(event)}\n\n`;
  };
  const headers = { 'content-type': 'text/event-stream' };
  return [
    {
      status: 200,
      headers,
      body: `${block('one', 'first \u2028\u0085')}${block('two', 'second').slice(0, -20)}`,
    },
    { status: 200, headers, body: block('two', 'second') },
  ];
}
