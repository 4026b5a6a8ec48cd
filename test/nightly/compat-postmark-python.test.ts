// Two clients for Python of Postmark's API against us, with nothing but their base URL and key changed
// (docs/compat-postmark.md). postmarker keeps only the host of its base URL.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { pythonTools } from '../../sdk/python-tools.ts';
import { TESTER } from '../harness/actor.ts';
import { startFlakyProxy, type FlakyProxy } from '../harness/flaky-proxy.ts';
import { skips } from '../harness/needs.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil, WITHIN_READS } from '../harness/wait.ts';

const run = promisify(execFile);
const FIXTURES = join(import.meta.dirname, '../fixtures');
const tools = pythonTools('postmark-python', join(FIXTURES, 'postmark-python-requirements.txt'));

describe.skipIf(skips('missing' in tools ? tools.missing : null))('Postmark for Python', () => {
  let stack: Stack;
  let proxy: FlakyProxy; // the certificates of tests are of no authority
  let env: Record<string, string>;

  beforeAll(async () => {
    const hosts = { postmark: 'postmark.localhost' };
    stack = await createStack({ api: true, env: { COMPAT_HOSTS: JSON.stringify(hosts) } });
    stack.sink.script.rcpt = (to) => (to.startsWith('gone') ? '550 5.1.1 no such user' : '250 ok');
    const { tenantId, domain } = await stack.makeAccount({ tier: 10 });
    proxy = await startFlakyProxy(new URL('/compat/postmark/', stack.baseUrl).href);
    const key = await createKey(stack.context, TESTER, { tenantId, name: 'python', scopes: [...SCOPES] });
    env = {
      API_URL: proxy.baseUrl,
      ROOT_URL: `http://${hosts.postmark}:${new URL(proxy.baseUrl).port}`,
      KEY: key.value,
      SENDER: `shop@${domain}`,
      PYTHONDONTWRITEBYTECODE: '1',
      NO_PROXY: '*',
    };
  });
  afterAll(async () => {
    await proxy?.close();
    await stack?.close();
  });

  async function story(name: string): Promise<unknown> {
    const python = join('bin' in tools ? tools.bin : '', 'python');
    const { stdout } = await run(python, [join(FIXTURES, 'postmark-story.py'), name], { env });
    return JSON.parse(stdout);
  }

  test('postmarker sends and reads back, at the root of the host; a bounce is found by its id', async () => {
    expect(await story('postmarker')).toEqual(['OK', [0, 0], ['Batch', 'Batch', 'Hello']]);
    let seen: unknown = null;
    await waitUntil(async () => (seen = await story('bounces')) !== null, WITHIN_READS);
    expect(seen).toEqual(['gone@sink.test', 'gone@sink.test', '[406]']);
  });

  test('django-anymail reports what became of each recipient', async () => {
    expect(await story('anymail')).toEqual([
      { 'a1@sink.test': 'sent', 'a2@sink.test': 'sent' },
      { 'a3@sink.test': 'sent' },
      { 'gone@sink.test': 'rejected', 'a4@sink.test': 'sent' },
      { 'gone@sink.test': 'rejected' },
      { 'nobody@-x': 'invalid' },
      { 'a5@sink.test': 'queued', 'a6@sink.test': 'queued' },
    ]);
    await waitUntil(() => stack.sink.messages.some(({ rcptTo }) => rcptTo === 'a6@sink.test'));
  });
});
