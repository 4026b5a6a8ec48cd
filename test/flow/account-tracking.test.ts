// Opens, clicks and unsubscribes, from the mail that was delivered to what the account sees of them.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createDecorate } from '../../core/tracking/decorate.ts';
import { createUnsubscribeUrl } from '../../core/tracking/unsubscribe-url.ts';
import { createApiWorld, type ApiWorld, type RunningApi } from '../harness/api-world.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { waitUntil } from '../harness/wait.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const PUBLIC_URL = 'https://mail.postrider.test';

let delivery: DeliveryWorld;
let world: ApiWorld;
let account: Account;
beforeAll(async () => {
  delivery = await createDeliveryWorld({ PUBLIC_URL });
  world = await createApiWorld(delivery.context.env);
  account = delivery.account;
});
afterAll(async () => {
  await world.close();
  await delivery.close();
});

const ask = (url: string, more: { method?: string; userAgent?: string; api?: RunningApi } = {}) =>
  (more.api ?? world).call(more.method ?? 'GET', `/${url.replace(PUBLIC_URL, '')}`, {
    headers: { 'user-agent': more.userAgent ?? BROWSER },
  });
const eventsOf = async (messageId: string, type = 'open,click,unsubscribe') => {
  const fresh = (await world.makeKey({ tenantId: account.tenantId, scopes: ['events:read'] })).key;
  const path = `/events?type=${type}&message_id=${toId('msg', messageId)}`;
  return (await world.call('GET', path, { key: fresh })).json.data.items as {
    type: string;
    data: Record<string, unknown>;
  }[];
};
const recorded = (api: RunningApi = world) => waitUntil(() => api.deps.engagement.pending() === 0);
const dayOf = async (owner: Account) => {
  const { rows } = await world.context.db.pool.query('select * from domain_days where domain_id = $1', [
    owner.domainId,
  ]);
  return rows as Record<string, unknown>[];
};

/** A message that was delivered a minute ago, and its links. */
async function delivered(more: { to?: string; campaign?: string; ago?: number; owner?: Account } = {}) {
  const owner = more.owner ?? (await makeAccount(world.context.db));
  const row = { state: 'delivered', domainId: owner.domainId, to: more.to ?? 'ann@example.net' };
  const id = await makeMessageRow(world.context.db, owner.tenantId, row);
  await world.context.db.pool.query(
    'update messages set finished_at = now() - make_interval(secs => $2), campaign_id = $3 where id = $1',
    [id, more.ago ?? 60, more.campaign ?? null],
  );
  const message = { id, tenantId: owner.tenantId, rcptTo: row.to };
  const html = '<a href="https://shop.example/a?b=1&amp;c=2">A</a>';
  const made = createDecorate(world.context.config)(message, {}, html);
  account = owner;
  return {
    id,
    owner,
    open: /src="([^"]+)"/.exec(made)![1]!,
    click: /href="([^"]+)"/.exec(made)![1]!,
    unsubscribe: createUnsubscribeUrl(world.context.config)(message),
  };
}

test('the mail that arrives carries a pixel and links that lead to their targets', async () => {
  const peer = await delivery.startPeer('reader.test');
  await delivery.open({ decorate: createDecorate(delivery.context.config) });
  const html = '<body><p>Hello</p><a href="https://shop.example/landing?x=1">Shop</a></body>';
  const id = await delivery.queue('ann@reader.test', { html, text: '' });
  await delivery.untilState(id, 'delivered');
  const raw = peer.messages[0]!.raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [, link] = /href="(https:\/\/mail\.postrider\.test\/t\/c\/[\w-]+)"/.exec(raw)!;
  const [, pixel] = /src="(https:\/\/mail\.postrider\.test\/t\/o\/[\w-]+)"/.exec(raw)!;
  expect(raw).toContain('https://shop.example/landing?x=1'); // in the text part
  expect(raw).not.toMatch(/^List-Unsubscribe/im);
  expect(await ask(link!)).toMatchObject({
    status: 302,
    headers: { location: 'https://shop.example/landing?x=1', 'cache-control': 'no-store' },
  });
  const image = await ask(pixel!);
  expect(image).toMatchObject({ status: 200, headers: { 'content-type': 'image/gif' } });
  expect(image.headers['x-request-id']).toMatch(/^req_/);
  account = delivery.account;
  await recorded();
  // It came the moment after the delivery: a machine, as far as anybody can tell.
  expect(await eventsOf(id)).toMatchObject([
    { type: 'open', data: { machine_open: true, user_agent: BROWSER, ip: '127.0.0.1' } },
    { type: 'click', data: { machine_click: true, url: 'https://shop.example/landing?x=1' } },
  ]);
  expect(await dayOf(delivery.account)).toMatchObject([
    { sent: 1, delivered: 1, opened: 0, clicked: 0, machine_opened: 1, machine_clicked: 1, simulated: false },
  ]);
});

test('people and machines are counted separately; a message counts once however often it is opened', async () => {
  const { id, owner, open, click } = await delivered();
  await ask(open, { userAgent: 'Mozilla/5.0' });
  await ask(open, { method: 'HEAD' });
  await ask(click, { method: 'HEAD' });
  for (let i = 0; i < 3; i++) await ask(open);
  expect(await ask(click)).toMatchObject({
    status: 302,
    headers: { location: 'https://shop.example/a?b=1&c=2' },
  });
  await recorded();
  const events = await eventsOf(id);
  expect(events.map((one) => [one.type, one.data['machine_open'] ?? one.data['machine_click']])).toEqual([
    ['click', false],
    ['open', false],
    ['open', false],
    ['open', false],
    ['click', true],
    ['open', true],
    ['open', true],
  ]);
  expect(await dayOf(owner)).toMatchObject([
    { opened: 1, clicked: 1, machine_opened: 2, machine_clicked: 1 },
  ]);
  const timeline = (
    await world.call('GET', `/transactional/${toId('msg', id)}`, {
      key: (await world.makeKey({ tenantId: owner.tenantId })).key,
    })
  ).json.data;
  expect(timeline.status).toBe('delivered');
});

test('first opens that reach two processes at once are one', async () => {
  const other = await world.startAnother();
  const owner = await makeAccount(world.context.db);
  const many = await Promise.all(Array.from({ length: 20 }, () => delivered({ owner })));
  await Promise.all(many.flatMap(({ open }) => [ask(open), ask(open, { api: other }), ask(open)]));
  await Promise.all([recorded(), recorded(other)]);
  expect(await dayOf(owner)).toMatchObject([{ opened: 20, machine_opened: 0 }]);
});

test('haste makes a machine, but not at the simulator', async () => {
  const hasty = await delivered({ ago: 0 });
  await ask(hasty.open);
  await recorded();
  expect(await eventsOf(hasty.id)).toMatchObject([{ data: { machine_open: true } }]);
  const simulated = await delivered({ ago: 0, to: 'delivered+x@simulator.test' });
  await ask(simulated.open);
  await recorded();
  expect(await eventsOf(simulated.id)).toMatchObject([{ data: { machine_open: false } }]);
  expect(await dayOf(simulated.owner)).toMatchObject([{ opened: 1, simulated: true }]);
});

test('changed, foreign and misused tokens lead nowhere and leave nothing', async () => {
  const { id, open, click } = await delivered({ campaign: '01900000-0000-7000-8000-000000000001' });
  const flipped = click.slice(0, -1) + (click.endsWith('A') ? 'B' : 'A');
  const bad = [
    flipped,
    click.replace('/t/c/', '/t/o/'),
    open.replace('/t/o/', '/t/c/'),
    `${PUBLIC_URL}/t/c/x`,
  ];
  for (const url of [...bad, open.replace('/t/o/', '/u/'), `${PUBLIC_URL}/t/c/${'A'.repeat(10_000)}`]) {
    const answer = await ask(url);
    expect(answer.status, url).toBe(404);
    expect(answer.headers.location).toBeUndefined();
  }
  expect((await ask(open.replace('/t/o/', '/u/'), { method: 'POST' })).status).toBe(404);
  await recorded();
  expect(await eventsOf(id)).toEqual([]);
});

test('the page changes nothing; a POST unsubscribes once, whoever repeats it', async () => {
  const { id, owner, unsubscribe } = await delivered({
    to: 'Bob@Example.net',
    campaign: '01900000-0000-7000-8000-000000000001',
  });
  const { pool } = world.context.db;
  await pool.query(
    `insert into contacts (id, tenant_id, email, email_key) values ($1, $2, 'Bob@Example.net', 'bob@example.net')`,
    [id, owner.tenantId],
  );
  const page = await ask(unsubscribe);
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(page.text).toContain('bob@example.net');
  expect(page.text).toContain('method="post"');
  await ask(unsubscribe, { method: 'HEAD' });
  expect((await pool.query('select from suppressions where tenant_id = $1', [owner.tenantId])).rowCount).toBe(
    0,
  );

  const post = () =>
    world.call('POST', `/${unsubscribe.replace(PUBLIC_URL, '')}`, {
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const answers = await Promise.all([post(), post(), post()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { rows } = await pool.query(
    `select s.email, s.reason, s.source_message_id as source, c.status from suppressions s
     join contacts c on c.tenant_id = s.tenant_id and c.email_key = s.email where s.tenant_id = $1`,
    [owner.tenantId],
  );
  expect(rows).toEqual([
    { email: 'bob@example.net', reason: 'unsubscribe', source: id, status: 'unsubscribed' },
  ]);
  expect(await eventsOf(id)).toMatchObject([{ type: 'unsubscribe', data: { source: 'one_click' } }]);
  expect(await dayOf(owner)).toMatchObject([{ unsubscribed: 1 }]);
});

test('an unsubscribe is kept behind an older bounce, and works when the message is long gone', async () => {
  const { id, owner, unsubscribe } = await delivered({ campaign: '01900000-0000-7000-8000-000000000001' });
  const { pool } = world.context.db;
  await pool.query(
    `insert into suppressions (tenant_id, email, reason) values ($1, 'ann@example.net', 'bounce')`,
    [owner.tenantId],
  );
  await pool.query('delete from messages where id = $1', [id]);
  expect((await ask(`${unsubscribe}?page=1`, { method: 'POST' })).status).toBe(200);
  const { rows } = await pool.query(
    'select reason, stream, unsubscribed from suppressions where tenant_id = $1',
    [owner.tenantId],
  );
  expect(rows).toEqual([{ reason: 'bounce', stream: 'all', unsubscribed: true }]);
  expect(await eventsOf(id)).toEqual([]);
});

test('an answer never waits for the record', async () => {
  const { id, open } = await delivered();
  const client = await world.context.db.pool.connect();
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtext('postrider:engagement'))");
  expect((await ask(open)).status).toBe(200);
  expect(world.deps.engagement.pending()).toBe(1);
  await client.query('rollback');
  client.release();
  await recorded();
  expect(await eventsOf(id)).toHaveLength(1);
});
