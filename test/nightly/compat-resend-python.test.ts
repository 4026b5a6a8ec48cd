// Resend's official client for Python against us, with nothing but its base URL and key changed (docs/compat-resend.md).

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { eventHeaders } from '../../core/webhook/standard-webhook.ts';
import { pythonTools } from '../../sdk/python-tools.ts';
import { TESTER } from '../harness/actor.ts';
import { startFlakyProxy, type FlakyProxy } from '../harness/flaky-proxy.ts';
import { skips } from '../harness/needs.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const run = promisify(execFile);
const FIXTURES = join(import.meta.dirname, '../fixtures');
const tools = pythonTools('resend-python', join(FIXTURES, 'resend-python-requirements.txt'));

describe.skipIf(skips('missing' in tools ? tools.missing : null))('Resend for Python', () => {
  let stack: Stack;
  let proxy: FlakyProxy; // the certificates of tests are of no authority
  let env: Record<string, string>;

  beforeAll(async () => {
    stack = await createStack({ api: true });
    const { tenantId, domain } = await stack.makeAccount({ tier: 10 });
    proxy = await startFlakyProxy(new URL('/compat/resend', stack.baseUrl).href);
    const key = await createKey(stack.context, TESTER, { tenantId, name: 'resend', scopes: [...SCOPES] });
    env = {
      RESEND_API_URL: proxy.baseUrl,
      RESEND_API_KEY: key.value,
      SENDER: `shop@${domain}`,
      PYTHONDONTWRITEBYTECODE: '1',
      NO_PROXY: '*',
    };
  });
  afterAll(async () => {
    await proxy?.close();
    await stack?.close();
  });

  async function story(name: string, more: Record<string, string> = {}): Promise<unknown> {
    const python = join('bin' in tools ? tools.bin : '', 'python');
    const { stdout } = await run(python, [join(FIXTURES, 'resend-story.py'), name], {
      env: { ...env, ...more },
    });
    return JSON.parse(stdout);
  }

  test('emails are sent, read, moved, cancelled and listed', async () => {
    expect(await story('emails')).toEqual({
      same: true,
      email: [
        ['py1@sink.test', 'py2@sink.test'],
        ['py3@sink.test'],
        'hello world',
        '<p>it works!</p>',
        [env['SENDER']],
      ],
      moved: true,
      later: 'canceled',
      batch: [1, [1]],
      listed: true,
    });
    await waitUntil(() => stack.sink.messages.some(({ rcptTo }) => rcptTo === 'py3@sink.test'));
  });

  test('contacts, segments and broadcasts', async () => {
    const size = { size: { type: 'number', value: 7 } };
    expect(await story('people')).toEqual(['Eve', true, size, ['eve@sink.test'], 'June']);
  });

  test('domains', async () => {
    expect(await story('domains')).toEqual(['pending', true, true]);
  });

  test('a refusal is the exception that it is there', async () => {
    expect(await story('refused')).toEqual([
      ['ResendError', 403, 'validation_error'],
      ['ValidationError', 422, 'validation_error'],
      ['ResendError', 404, 'not_found'],
      ['InvalidApiKeyError', 403, 'invalid_api_key'],
    ]);
  });

  test('its Webhooks.verify believes what we sign', async () => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const payload = JSON.stringify({ type: 'message.delivered', data: {} });
    const headers = eventHeaders(newUuid(), new Date(), Buffer.from(payload), [secret]);
    const SIGNED = JSON.stringify({ payload, headers, secret });
    expect(await story('verified', { SIGNED })).toBe('message.delivered');
  });
});
