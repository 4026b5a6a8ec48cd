import { request } from 'node:http';
import { expect, test } from 'vitest';

import { send, testSimulator } from '../harness/simulator.ts';

async function start() {
  const { simulator, client } = await testSimulator();
  const call = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${simulator.httpPort}${path}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { simulator, client, call };
}

test('messages are listed newest first, by recipient and up to a limit', async () => {
  const { simulator, call } = await start();
  for (const to of ['a@simulator.test', 'b@simulator.test', 'a@simulator.test'])
    await send(simulator.smtpPort, to);
  const { body } = await call('/messages?to=A@simulator.test');
  const items = body['items'] as { id: string; received_at: string }[];
  expect(items.map((item) => item.id)).toEqual(['3', '1']);
  expect(Object.keys(items[0]!)).toEqual(['id', 'mail_from', 'rcpt_to', 'received_at', 'raw']);
  expect(items[0]!.received_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect((await call('/messages?limit=1')).body).toMatchObject({ items: [{ id: '3' }], total: 3 });
});

test.each(['0', '1001', 'many'])('limit=%s is refused', async (limit) => {
  const { call } = await start();
  expect((await call(`/messages?limit=${limit}`)).status).toBe(422);
});

test.each([
  ['no JSON', 'records'],
  ['no records', '{}'],
  ['an unknown type', '{"records":[{"type":"XX","name":"a.test","value":"x"}]}'],
  ['a bad address', '{"records":[{"type":"A","name":"a.test","value":"300.1.1.1"}]}'],
  ['a bad name', '{"records":[{"type":"A","name":"a..test","value":"192.0.2.1"}]}'],
])('records are checked: %s', async (_, body) => {
  const { call } = await start();
  const answer = await call('/dns', { method: 'POST', body });
  expect(answer.status).toBe(422);
  expect(answer.body['details']).not.toEqual([]);
});

test('the records of a domain can be handed in as they are', async () => {
  const { call } = await start();
  const record = {
    purpose: 'spf',
    type: 'TXT',
    name: 'send.customer.test',
    value: 'v=spf1 -all',
    priority: null,
    required: true,
    status: 'pending',
  };
  const init = { body: JSON.stringify({ records: [record] }) };
  expect(await call('/dns', { method: 'POST', ...init })).toMatchObject({ status: 200, body: { added: 1 } });
  expect(await call('/dns', { method: 'DELETE', ...init })).toMatchObject({
    status: 200,
    body: { removed: 1 },
  });
  expect(await call('/dns', { method: 'DELETE', ...init })).toMatchObject({
    status: 200,
    body: { removed: 0 },
  });
});

test('only its own host is answered, and no other site changes anything', async () => {
  const { simulator } = await start();
  const port = simulator.httpPort;
  const records = [{ type: 'A', name: 'evil.test', value: '192.0.2.1' }];
  const status = (method: string, path: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const body = method === 'GET' ? '' : JSON.stringify({ records });
      const all = { ...headers, 'content-length': String(body.length) };
      const asked = request({ host: '127.0.0.1', port, method, path, headers: all }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      asked.on('error', reject);
      asked.end(body);
    });
  const own = { host: `localhost:${port}` };
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`])
    for (const path of ['/', '/messages', '/mail/1', '/healthz'])
      expect([host, path, await status('GET', path, { host })]).toEqual([host, path, 421]);
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://localhost:${port + 1}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign)
    for (const [method, path] of [
      ['POST', '/dns'],
      ['DELETE', '/dns'],
      ['POST', '/zone'],
    ] as const)
      expect([headers, path, await status(method, path, { ...own, ...headers })]).toEqual([
        headers,
        path,
        403,
      ]);
  const ours = { ...own, origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' };
  expect(await status('POST', '/dns', ours)).toBe(200);
  expect(await status('POST', '/dns', { host: `127.0.0.1:${port}` })).toBe(200);
});

test('everything else is 404', async () => {
  const { call } = await start();
  expect((await call('/nothing')).status).toBe(404);
});

test('the page shows mail of strangers as text, and publishes a zone file', async () => {
  const { simulator } = await testSimulator();
  const base = `http://127.0.0.1:${simulator.httpPort}`;
  await send(simulator.smtpPort, 'a@simulator.test', {
    subject: '<script>alert(1)</script>',
    text: '<b>hi</b>',
  });
  const overview = await fetch(`${base}/`);
  expect(overview.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await overview.text()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(await (await fetch(`${base}/mail/1`)).text()).toContain('&lt;b&gt;hi&lt;/b&gt;');
  expect((await fetch(`${base}/mail/2`)).status).toBe(404);

  const zone = [
    '; records of shop.test',
    'send.shop.test. 300 IN MX 10 mx.simulator.test.',
    'k1._domainkey.shop.test. TXT "v=DKIM1; k=rsa; " "p=AB\\"C"',
    '',
    '_dmarc.shop.test TXT v=DMARC1; p=none',
  ].join('\n');
  const publish = (text: string, headers = {}) =>
    fetch(`${base}/zone`, { method: 'POST', body: new URLSearchParams({ zone: text }), headers });
  expect(await (await publish(zone)).text()).toContain('Published: 3.');
  expect(await (await fetch(`${base}/`)).text()).toContain('v=DKIM1; k=rsa; p=AB&quot;C');
  const wrong = await publish('shop.test A 1.2.3.400');
  expect(wrong.status).toBe(422);
  expect(await wrong.text()).toContain('line 1: value is not an IPv4 address');
  expect((await publish(zone, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});
