// Inbound mail over REST: webhook settings, mailboxes, messages, downloads, dead letters.

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { SCAN_OFF } from '../../core/db/schema/inbound.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import {
  openWorld,
  sendMail,
  startEndpoint,
  until,
  type Endpoint,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import { TESTER } from '../harness/actor.ts';

let api: ApiWorld;
let world: InboundWorld;
let endpoint: Endpoint;
let account: Account;
let key: string;
let strangerKey: string;
let status = 200;

const SCOPES = ['mail:read', 'mail:write', 'settings:read', 'settings:write'];

beforeAll(async () => {
  api = await createApiWorld();
  world = await openWorld({}, api.context);
  endpoint = await startEndpoint(() => ({ status, body: 'thanks' }));
  account = await makeAccount(api.context.db);
  key = (await api.makeKey({ tenantId: account.tenantId, scopes: SCOPES })).key;
  const stranger = await makeAccount(api.context.db);
  strangerKey = (await api.makeKey({ tenantId: stranger.tenantId, scopes: SCOPES })).key;
});
afterAll(async () => {
  await endpoint.close();
  await world.close();
  await api.close();
});

const get = (path: string, who = key) => api.call('GET', path, { key: who });
const ask = (method: string, path: string, body?: unknown, who = key) =>
  api.call(method, path, { key: who, body });

// Waiting is done on the database: a slow machine would ask the API more often than its limit allows.
const found = (text: string, values: unknown[]) =>
  until(async () => (await api.context.db.pool.query(text, [account.tenantId, ...values])).rows.length > 0);
const parsed = (recipient: string) =>
  found(
    `select 1 from inbound_messages m join inbound_raws r on r.id = m.raw_id
     where m.tenant_id = $1 and m.recipient like $2 || '%' and r.work_due_at is null`,
    [recipient],
  );

test('the webhook: set up, secret shown once, rotated, tested', async () => {
  const path = '/settings/inbound-webhook';
  expect((await get(path)).json.data).toEqual({
    webhook_url: null,
    enabled: false,
    created_at: null,
    rotated_at: null,
  });
  expect((await ask('POST', `${path}/test-send`)).json.error).toBe('conflict');
  expect((await ask('PATCH', path, { enabled: true })).status).toBe(422);

  const made = await ask('PATCH', path, { webhook_url: endpoint.url });
  expect(made.json.data).toMatchObject({
    webhook_url: endpoint.url,
    enabled: true,
    secret_revealed_once: true,
  });
  const { secret } = made.json.data;
  expect(secret).toMatch(/^whsec_/);
  expect((await get(path)).json.data).not.toHaveProperty('secret');
  const changed = await ask('PATCH', path, { enabled: true });
  expect(changed.json.data).not.toHaveProperty('secret');
  expect(changed.json.data).not.toHaveProperty('secret_revealed_once');

  const tested = await ask('POST', `${path}/test-send`);
  expect(tested.json.data).toMatchObject({ passed: true, status_code: 200, error: null });
  const [hit] = endpoint.hits;
  const signature = createHmac('sha256', secret).update(hit!.body).digest('hex');
  expect(hit!.headers['x-svc-inbound-sig']).toBe(`hmac-sha256=${signature}`);
  status = 500;
  expect((await ask('POST', `${path}/test-send`)).json.data).toMatchObject({
    passed: false,
    status_code: 500,
  });
  status = 200;

  const rotated = await ask('PATCH', `${path}?rotate_secret=true`);
  expect(rotated.json.data).toMatchObject({ secret_revealed_once: true });
  expect(rotated.json.data.secret).not.toBe(secret);
  expect(rotated.json.data.rotated_at).toMatch(/Z$/);
  expect((await get(path, strangerKey)).json.data.webhook_url).toBeNull();
});

test('bad webhook URLs are refused', async () => {
  for (const url of [
    'ftp://x.test/',
    'https://u:p@x.test/',
    'nonsense',
    'https://no-such-host.invalid/',
    '',
  ]) {
    const answer = await ask('PATCH', '/settings/inbound-webhook', { webhook_url: url });
    expect([url, answer.status, answer.json.details?.[0]?.path]).toEqual([url, 422, 'webhook_url']);
  }
});

const MAIL = [
  'From: =?utf-8?q?Ann_M=C3=BCller?= <ann@sender.test>',
  'To: Support <support@DOMAIN>, other@elsewhere.test',
  'Cc: boss@sender.test',
  'Subject: Invoice 4711',
  'Date: Sat, 21 Nov 2026 03:05:13 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Please see the flamingo attached.',
  '--a',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Please see the <b>flamingo</b> attached.</p>',
  '--a--',
  '--b',
  'Content-Type: text/html; name="evil.html"',
  'Content-Disposition: attachment; filename="evil.html"',
  'Content-Transfer-Encoding: base64',
  '',
  'PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  '--b--',
  '',
].join('\r\n');

test('mailboxes: exact before catch-all, and the messages in them', async () => {
  const { domain } = account;
  const exact = await ask('POST', '/mail/mailboxes', { address: `Support@${domain}`, name: 'Support' });
  expect(exact.status).toBe(201);
  expect(exact.json.data).toMatchObject({ address: `support@${domain}`, name: 'Support' });
  const all = (await ask('POST', '/mail/mailboxes', { address: `*@${domain}` })).json.data;
  expect((await ask('POST', '/mail/mailboxes', { address: `support@${domain}` })).json.error).toBe(
    'conflict',
  );
  expect((await ask('POST', '/mail/mailboxes', { address: 'x@gmail.com' })).json.error).toBe(
    'domain_not_verified',
  );
  expect((await ask('POST', '/mail/mailboxes', { address: 'nonsense' })).status).toBe(422);
  const renamed = await ask('PATCH', `/mail/mailboxes/${all.id}`, { name: 'The rest' });
  expect(renamed.json.data.name).toBe('The rest');
  expect((await get(`/mail/mailboxes/${all.id}`, strangerKey)).json.error).toBe('not_found');
  expect((await get('/mail/mailboxes')).json.data.items).toHaveLength(2);

  const data = MAIL.replace('DOMAIN', domain);
  expect(await sendMail(world.port, { to: [`SUPPORT@${domain}`, `else@${domain}`], data })).toMatch(/^250/);
  const inExact = `/mail/messages?mailbox_id=${exact.json.data.id}`;
  await parsed('SUPPORT@');
  const [message] = (await get(inExact)).json.data.items;
  expect(message).toMatchObject({
    mailbox_id: exact.json.data.id,
    envelope_from: 'ann@sender.test',
    recipient: `SUPPORT@${domain}`,
    from: 'Ann Müller <ann@sender.test>',
    to: [`Support <support@${domain}>`, 'other@elsewhere.test'],
    cc: ['boss@sender.test'],
    subject: 'Invoice 4711',
    date: '2026-11-21T03:05:13.000Z',
    attachments: [{ index: 0, filename: 'evil.html', content_type: 'text/html', size_bytes: 25 }],
    auto_submitted: false,
    parse_error: null,
    read: false,
    junk: false,
    scan: SCAN_OFF,
    size_bytes: data.length,
  });
  expect(Object.keys(message.auth)).toEqual(['spf', 'dkim', 'dmarc']);
  expect(message).not.toHaveProperty('text');
  const whole = (await get(`/mail/messages/${message.id}`)).json.data;
  expect(whole.text).toContain('flamingo');
  expect(whole.html).toContain('<b>flamingo</b>');
  expect(whole.headers[3]).toEqual({ name: 'Subject', value: 'Invoice 4711' });

  const count = async (query: string) => (await get(`/mail/messages?${query}`)).json.data.items.length;
  expect(await count(`mailbox_id=${all.id}`)).toBe(1);
  expect(await count('q=flaming+invoice')).toBe(2);
  expect(await count('q=elephant')).toBe(0);
  expect(await count('q=')).toBe(0);
  expect((await ask('PATCH', `/mail/messages/${message.id}`, { read: true })).json.data.read).toBe(true);
  expect(await count('read=true')).toBe(1);
  expect(await count('read=false')).toBe(1);
  expect(await count('junk=false')).toBe(2);
  expect(await count('junk=true')).toBe(0);
  const first = (await get('/mail/messages?limit=1')).json.data;
  const second = (await get(`/mail/messages?limit=1&after=${first.next_cursor}`)).json.data;
  expect(second.items[0].id).not.toBe(first.items[0].id);
  expect(second.next_cursor).toBeNull();

  const raw = await get(`/mail/messages/${message.id}/raw`);
  expect(raw.text).toBe(data);
  expect(raw.headers).toMatchObject({
    'content-type': 'message/rfc822',
    'x-content-type-options': 'nosniff',
    'x-ratelimit-limit': '60',
  });
  const file = await get(`/mail/messages/${message.id}/attachments/0`);
  expect(file.text).toBe('<script>alert(1)</script>');
  expect(file.headers['content-disposition']).toMatch(/^attachment; filename="evil.html"/);
  expect(file.headers['x-content-type-options']).toBe('nosniff');
  expect((await get(`/mail/messages/${message.id}/attachments/1`)).status).toBe(404);
  for (const path of ['', '/raw', '/attachments/0']) {
    expect((await get(`/mail/messages/${message.id}${path}`, strangerKey)).json.error).toBe('not_found');
  }

  expect((await ask('DELETE', `/mail/messages/${message.id}`)).json.data).toEqual({
    id: message.id,
    deleted: true,
  });
  expect((await get(`/mail/messages/${message.id}`)).status).toBe(404);
  const [other] = (await get(`/mail/messages?mailbox_id=${all.id}`)).json.data.items;
  expect((await get(`/mail/messages/${other.id}/raw`)).text).toBe(data);
  expect((await ask('DELETE', `/mail/mailboxes/${all.id}`)).status).toBe(200);
  expect((await get(`/mail/messages/${other.id}`)).json.data.mailbox_id).toBeNull();
});

test('a download of what is deleted meanwhile breaks off, and does not wait for the rest', async () => {
  const { pool } = api.context.db;
  await ask('POST', '/mail/mailboxes', { address: `half@${account.domain}` });
  await sendMail(world.port, {
    to: `half@${account.domain}`,
    data: `Subject: Half\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(6_000)}`,
  });
  await parsed('half@');
  const { rows } = await pool.query(
    `delete from inbound_chunks c using inbound_messages m
     where m.raw_id = c.raw_id and m.recipient like 'half@%' and c.seq = 1 returning m.id`,
  );
  await expect(get(`/mail/messages/${toId('inm', rows[0].id)}/raw`)).rejects.toThrow();
});

test('mail that cannot be parsed is there all the same, raw and flagged', async () => {
  const parts = '--b\r\n\r\nx\r\n'.repeat(1_100); // more than core/mail/parse-mail.ts reads
  const data = `From: a@b.test\r\nSubject: parts\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`;
  await sendMail(world.port, { to: `deep@${account.domain}`, data });
  await parsed('deep@');
  const { items } = (await get('/mail/messages')).json.data;
  const message = items.find((one: { recipient: string }) => one.recipient.startsWith('deep@'));
  expect(message.parse_error).toMatch(/parser/);
  expect((await get(`/mail/messages/${message.id}/raw`)).text).toBe(data);
  await until(() => endpoint.hits.some((hit) => hit.body.toString() === data));
});

test('dead letters are for super-admins', async () => {
  status = 404;
  await sendMail(world.port, { to: `dead@${account.domain}`, data: 'Subject: x\r\n\r\nx\r\n' });
  const admin = await adminToken();
  const path = `/admin/tenants/${toId('tnt', account.tenantId)}/inbound-webhook-dlq`;
  await found(`select 1 from webhook_deliveries where tenant_id = $1 and state = 'dead'`, []);
  const [letter] = (await get(path, admin)).json.data.items;
  expect(letter).toMatchObject({ recipient: `dead@${account.domain}`, attempts: 1, last_status_code: 404 });
  expect((await get(path)).status).toBe(403);
  expect((await api.call('GET', path)).status).toBe(401);
  expect((await get('/admin/tenants/tnt_nonsense/inbound-webhook-dlq', admin)).status).toBe(404);
  status = 200;
  const replayed = await ask('POST', `${path}/${letter.id}/replay`, undefined, admin);
  expect(replayed.status).toBe(202);
  expect((await ask('POST', `${path}/${letter.id}/replay`, undefined, admin)).status).toBe(404);
  expect((await ask('POST', `${path}/replay`, undefined, admin)).json.data).toEqual({ replayed: 0 });
  expect((await get(path, admin)).json.data.items).toEqual([]);
});

test('mail to postmaster is for super-admins', async () => {
  const admin = await adminToken();
  const path = '/admin/postmaster-mail';
  for (const n of [1, 2]) {
    await sendMail(world.port, { to: 'postmaster', data: `Subject: ${n}\r\n\r\nx\r\n` });
  }
  expect((await get(path)).status).toBe(403);
  const first = (await get(`${path}?limit=1`, admin)).json.data;
  expect(first.items).toMatchObject([
    { recipient: 'postmaster', envelope_from: 'ann@sender.test', peer: '127.0.0.1', subject: '2' },
  ]);
  const rest = (await get(`${path}?after=${first.next_cursor}`, admin)).json.data;
  expect(rest.items).toMatchObject([{ subject: '1', size_bytes: 17 }]);
  const raw = `${path}/${rest.items[0].id}/raw`;
  expect((await get(raw, admin)).text).toBe('Subject: 1\r\n\r\nx\r\n');
  expect((await get(raw)).status).toBe(403);
});

async function adminToken(): Promise<string> {
  const { createAdminToken } = await import('../../core/key/admin-tokens.ts');
  return (await createAdminToken(api.context, TESTER, { name: 'test' })).value;
}
