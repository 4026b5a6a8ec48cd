// A key for one domain, at every way in: it sends from that domain and does nothing else.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { TESTER } from '../harness/actor.ts';
import { call } from '../harness/api-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { mail, signedIn, submit } from '../harness/submission.ts';
import { shareStack, type Stack } from '../harness/stack.ts';

let stack: Stack;
let account: Account;
let second: Account; // another domain of the same tenant
let key: string;

beforeAll(async () => {
  stack = await shareStack();
  account = await stack.makeAccount({ tier: 5 });
  second = await makeAccount(stack.context.db, { tenantId: account.tenantId, tier: 5 });
  key = await make({ domain: `  ${account.domain.toUpperCase()} ` });
});
afterAll(() => stack.close());

async function make(more: object): Promise<string> {
  const wanted = { tenantId: account.tenantId, name: 'one', scopes: ['transactional:send'], ...more };
  return (await createKey(stack.context, TESTER, wanted)).value;
}
const ask = (method: string, path: string, body?: unknown, by = key) =>
  call(Number(stack.api!.env['API_HTTPS_PORT']), method, path, { key: by, body });
const letter = (from: Account) => ({
  from: `shop@${from.domain}`,
  to: 'ann@sink.test',
  subject: 'Hi',
  text: 'x',
});
const ONLY = () => `The API key may only send from ${account.domain}. Use another key for anything else.`;

describe('a key for one domain', () => {
  test('sends from that domain alone, one message or many', async () => {
    expect((await ask('POST', '/api/v1/transactional/send', letter(account))).status).toBe(202);
    const refused = await ask('POST', '/api/v1/transactional/send', letter(second));
    expect([refused.status, refused.json.error, refused.json.message]).toEqual([403, 'forbidden', ONLY()]);
    const both = { messages: [letter(account), letter(second)] };
    const { json } = await ask('POST', '/api/v1/transactional/batch', both);
    expect(json.data.items).toEqual([
      expect.objectContaining({ status: 'queued' }),
      { error: 'forbidden', message: ONLY() },
    ]);
  });

  test('with the clients of other services, and at submission', async () => {
    const { from, to, subject, text } = letter(second);
    const content = [{ type: 'text/plain', value: text }];
    const sendgrid = { personalizations: [{ to: [{ email: to }] }], from: { email: from }, subject, content };
    expect((await ask('POST', '/compat/resend/emails', letter(second))).status).toBe(403);
    expect((await ask('POST', '/compat/resend/emails', letter(account))).status).toBe(200);
    expect((await ask('POST', '/compat/sendgrid/v3/mail/send', sendgrid)).status).toBe(403);
    const port = Number(stack.api!.env['API_HTTPS_PORT']);
    const postmark = { From: from, To: to, Subject: subject, TextBody: text };
    const headers = { 'x-postmark-server-token': key };
    const answer = await call(port, 'POST', '/compat/postmark/email', { headers, body: postmark });
    expect(JSON.stringify(answer.json)).toContain(ONLY());

    const ports = { tlsPort: Number(stack.api!.env['SUBMISSIONS_PORT']) };
    const client = await signedIn(ports, key);
    expect(await submit(client, mail(`shop@${second.domain}`))).toMatch(/^5\d\d .* may only send from /);
    expect(await submit(client, mail(`shop@${account.domain}`))).toMatch(/^250/);
    client.close();
  });

  test('does nothing else, and says which domain it is for', async () => {
    const whole = await make({});
    const sent = await ask('POST', '/api/v1/transactional/send', letter(account), whole);
    const { id } = sent.json.data;
    for (const [method, path] of [
      ['GET', `/transactional/${id}`],
      ['DELETE', `/transactional/${id}`],
      ['POST', `/transactional/${id}/resend`],
      ['POST', `/transactional/${id}/retry`],
      ['GET', '/events'],
    ] as const) {
      const refused = await ask(method, `/api/v1${path}`, method === 'POST' ? {} : undefined);
      expect([path, refused.status, refused.json.message]).toEqual([path, 403, ONLY()]);
    }
    expect((await ask('GET', `/api/v1/transactional/${id}`, undefined, whole)).status).toBe(200);
    expect((await ask('GET', '/api/v1/whoami')).json.data.key.domain).toBe(account.domain);
    expect((await ask('GET', '/api/v1/whoami', undefined, whole)).json.data.key.domain).toBeNull();
  });
});

test.each([
  [{ domain: 'nobody.example' }, 'is not one of your domains. Add it first.'],
  [{ domain: 'not a name' }, 'is not one of your domains. Add it first.'],
  [
    { domain: 'nobody.example', scopes: ['transactional:send', 'events:read'] },
    'needs the scope transactional:send alone: a key for one domain only sends',
  ],
])('%o is refused', async (more, message) => {
  const details = [{ path: 'domain', message }];
  await expect(make(more)).rejects.toMatchObject({ code: 'validation_failed', details });
  const stranger = await makeAccount(stack.context.db);
  await expect(make({ domain: stranger.domain })).rejects.toMatchObject({ code: 'validation_failed' });
});
