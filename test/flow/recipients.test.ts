// One submission to several recipients: a message for each, decided alone, with the same headers and content, and
// counted all together or not at all.

import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { fromId } from '../../core/base/ids.ts';
import { shareCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';

let world: CampaignWorld;

beforeAll(async () => {
  world = await shareCampaignWorld();
});
afterAll(() => world?.close());

const SEND = '/transactional/send';
const addresses = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `${name}${n}@sink.test`);
const mail = (tenant: Tenant, more: object) => ({
  from: `Shop <shop@${tenant.domain}>`,
  subject: 'Hello',
  text: 'Hello all.',
  ...more,
});
const rows = async (text: string, values: unknown[]) =>
  (await world.stack.context.db.pool.query(text, values)).rows;
const countMessages = async (tenant: Tenant) =>
  (await rows('select count(*)::int as n from messages where tenant_id = $1', [tenant.tenantId]))[0].n;

test('each gets a copy with To and Cc and without Bcc, under one Message-ID and a return path of its own', async () => {
  const tenant = await world.makeTenant();
  const sent = await tenant.ask('POST', SEND, {
    ...mail(tenant, { html: '<p>Hello <a href="https://shop.example/">all</a></p>' }),
    to: ['Ann Ünal <ann@sink.test>', 'ben@sink.test'],
    cc: ['"Cy, the third" <cy@sink.test>', 'ANN@sink.test'],
    bcc: ['dee@sink.test'],
  });
  const emails = ['ann@sink.test', 'ben@sink.test', 'cy@sink.test', 'dee@sink.test'];
  expect(sent.recipients.map((one: { email: string }) => one.email)).toEqual(emails);
  expect(sent).toMatchObject({ id: sent.recipients[0].id, status: 'queued', domain: tenant.domain });

  const copies = await Promise.all(emails.map(untilReceived));
  for (const { parsed, raw } of copies) {
    expect(parsed.headerLines!.filter(({ key }) => key === 'bcc')).toEqual([]);
    expect(raw.replaceAll(/^(?:DKIM|Received|Return).*$/gm, '')).not.toContain('dee@');
    expect(parsed.to).toMatchObject({
      value: [{ address: 'ann@sink.test', name: 'Ann Ünal' }, { address: 'ben@sink.test' }],
    });
    expect(parsed.cc).toMatchObject({ value: [{ address: 'cy@sink.test', name: 'Cy, the third' }] });
  }
  const distinct = (of: (copy: (typeof copies)[number]) => unknown) => new Set(copies.map(of)).size;
  expect(distinct(({ parsed }) => parsed.messageId)).toBe(1);
  expect(distinct(({ mailFrom }) => mailFrom)).toBe(4);
  expect(distinct(({ parsed }) => /\/t\/c\/[\w-]+/.exec(parsed.html || '')?.[0])).toBe(4);

  const ids = sent.recipients.map((one: { id: string }) => fromId('msg', one.id));
  const contents = await rows('select message_id, content from message_contents where message_id = any($1)', [
    ids,
  ]);
  expect(contents.map((row) => row.message_id)).toEqual([ids[0]]);
  expect(contents[0].content.toString('latin1')).not.toContain('dee@');
});

test('each is read by its own id, with all of the group beside it, and cancelled alone', async () => {
  const tenant = await world.makeTenant();
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const group = { to: addresses(2, 'to'), cc: ['cc@sink.test'], bcc: ['bcc@sink.test'], scheduled_at };
  const sent = await tenant.ask('POST', SEND, mail(tenant, group));
  const reads = await Promise.all(
    sent.recipients.map((one: { id: string }) => tenant.ask('GET', `/transactional/${one.id}`)),
  );
  expect(reads.map((one) => one.to)).toEqual([...group.to, ...group.cc, ...group.bcc]);
  for (const read of reads) {
    expect(read).toMatchObject({ header_to: group.to, cc: group.cc, bcc: group.bcc });
    expect(read.recipients).toEqual(sent.recipients);
  }
  await tenant.ask('DELETE', `/transactional/${reads[2].id}`);
  const after = await tenant.ask('GET', `/transactional/${reads[0].id}`);
  expect(after.recipients.map((one: { status: string }) => one.status)).toEqual([
    'deferred',
    'deferred',
    'cancelled',
    'deferred',
  ]);
});

test('what waits, and what is tried again, has its content though it is under the id of another', async () => {
  const tenant = await world.makeTenant();
  const { sink } = world.stack;
  const tried = new Set<string>();
  sink.script.rcpt = (to) => {
    const first = to.startsWith('again') && !tried.has(to);
    tried.add(to);
    return first ? '451 4.3.0 try later' : '250 2.1.5 OK';
  };
  const scheduled_at = new Date(Date.now() + 1_000).toISOString();
  const group = { to: ['gone@sink.test'], cc: ['wait@sink.test'], bcc: ['again@sink.test'], scheduled_at };
  const sent = await tenant.ask('POST', SEND, mail(tenant, group));
  await tenant.ask('DELETE', `/transactional/${sent.id}`);
  for (const email of ['wait@sink.test', 'again@sink.test']) {
    const { parsed } = await untilReceived(email);
    expect(parsed.text?.trim()).toBe('Hello all.');
  }
  sink.script.rcpt = () => '250 2.1.5 OK';
  expect(world.received('gone@')).toEqual([]);
});

test('an address that is named twice is one recipient, and its answer that of one', async () => {
  const tenant = await world.makeTenant();
  const sent = await tenant.ask('POST', SEND, mail(tenant, { to: ['Eve@sink.test'], cc: 'eve@sink.test' }));
  expect(sent).not.toHaveProperty('recipients');
  const { parsed } = await untilReceived('Eve@sink.test');
  expect(parsed.cc).toBeUndefined();
  const read = await tenant.ask('GET', `/transactional/${sent.id}`);
  expect(read).toMatchObject({ to: 'Eve@sink.test', header_to: ['Eve@sink.test'], cc: [], bcc: [] });
  expect(read).not.toHaveProperty('recipients');
});

test('suppression and cap decide for each: dropped, queued and deferred stand in one answer', async () => {
  const tenant = await world.makeTenant({ tier: 0 }); // 50 a day
  await tenant.ask('POST', '/suppressions', { email: 'first@sink.test' });
  await tenant.ask('POST', SEND, mail(tenant, { to: addresses(48, 'many') }));
  const sent = await tenant.ask(
    'POST',
    SEND,
    mail(tenant, { to: ['first@sink.test', 'fox@sink.test'], cc: addresses(2, 'late') }),
  );
  expect(sent).toMatchObject({ status: 'dropped', reason: 'suppressed', warmup: { cap: 50, used: 48 } });
  expect(sent.recipients.map((one: { status: string; reason: string }) => [one.status, one.reason])).toEqual([
    ['dropped', 'suppressed'],
    ['queued', null],
    ['queued', null],
    ['deferred', 'warmup_cap'],
  ]);
  // The content is under the id of the first, which is not sent.
  expect((await untilReceived('fox@sink.test')).parsed.text?.trim()).toBe('Hello all.');
  const [day] = await rows('select used from warmup_days where domain_id = $1', [tenant.domainId]);
  expect(day.used).toBe(50);
});

test('a quota that does not hold all holds none, in a batch item by item', async () => {
  const tenant = await world.makeTenant({ plan: 'free' }); // 1,000 a month
  await tenant.ask('POST', '/suppressions', { email: 'out@sink.test' });
  await rows(
    "insert into tenant_usage (tenant_id, month, used) values ($1, date_trunc('month', now() at time zone 'UTC'), 997)",
    [tenant.tenantId],
  );
  const four = mail(tenant, { to: addresses(4, 'q') });
  expect(await tenant.call('POST', SEND, four)).toMatchObject({
    status: 402,
    json: { error: 'quota_exceeded', message: expect.stringContaining('3 left, and this message has 4') },
  });
  expect(await countMessages(tenant)).toBe(0);
  const one = mail(tenant, { to: 'q9@sink.test' });
  // Who is suppressed takes nothing of it.
  const two = mail(tenant, { to: ['q7@sink.test', 'out@sink.test'], bcc: ['q8@sink.test'] });
  const { items } = await tenant.ask('POST', '/transactional/batch', { messages: [two, four, one] });
  expect(items[0].recipients.map(({ status }: { status: string }) => status)).toEqual([
    'queued',
    'dropped',
    'queued',
  ]);
  expect(items[1]).toMatchObject({ error: 'quota_exceeded' });
  expect(items[2]).toMatchObject({ status: 'queued' });
  expect(await countMessages(tenant)).toBe(4);
  expect((await tenant.call('POST', SEND, one)).status).toBe(402);
});

async function untilReceived(email: string) {
  const find = () => world.stack.sink.messages.find((one) => one.rcptTo === email);
  await waitUntil(() => find() !== undefined, { what: () => `mail to ${email}` });
  const { raw, mailFrom } = find()!;
  return { parsed: await simpleParser(raw), raw: raw.toString(), mailFrom };
}
