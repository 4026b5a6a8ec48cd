// `{{ unsubscribe_url }}` in campaign mail, and in other mail that asks for it: the recipient's own link, the one of the
// List-Unsubscribe header, whatever a contact's attributes say; it asks before it acts, and who left gets no more.

import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { shareCampaignWorld, type CampaignWorld, type Tenant } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';
import { simpleParser } from 'mailparser';

const EVIL = 'https://evil.example/"><script>';

let world: CampaignWorld;

beforeAll(async () => {
  world = await shareCampaignWorld();
});
afterAll(() => world?.close());

/** Asks the api at the link, as a browser or a mail program would. */
function open(link: string, method: string): Promise<{ status: number; text: string }> {
  const { host } = new URL(world.stack.baseUrl);
  const url = link.replace(world.stack.context.config.PUBLIC_URL, `https://${host}`);
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, rejectUnauthorized: false }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function send(tenant: Tenant, content: object): Promise<void> {
  const from = `news@${tenant.domain}`;
  const { id } = await tenant.ask('POST', '/campaigns', {
    name: 'n',
    from,
    audience: { all: true },
    ...content,
  });
  await tenant.ask('POST', `/campaigns/${id}/launch`);
  await tenant.untilStatus(id, 'sent');
}

async function mailTo(local: string) {
  await waitUntil(() => world.received(`${local}@`).length > 0);
  const mail = await simpleParser(Buffer.from(world.received(`${local}@`).at(-1)!.raw));
  const header = mail.headerLines!.find(({ key }) => key === 'list-unsubscribe')!.line;
  return { html: mail.html || '', text: mail.text ?? '', header: /<([^>]+)>/.exec(header)![1]! };
}

const contactOf = async (tenant: Tenant, email: string) =>
  (await tenant.ask('GET', `/contacts?email=${email}`)).items[0];

test('each recipient sees the link of the header, untouched by click tracking and by attributes of its name', async () => {
  const tenant = await world.makeTenant();
  await tenant.ask('POST', '/contacts', {
    email: 'ann@sink.test',
    attributes: { unsubscribe_url: EVIL },
  });
  await tenant.ask('POST', '/contacts', { email: 'ben@sink.test' });
  const template = await tenant.ask('POST', '/templates', {
    name: 'news',
    subject: 's',
    html: '<a href="https://shop.example/">Shop</a> <a href="{{ unsubscribe_url }}">Leave</a>',
    text: 'Leave: {{ unsubscribe_url }}',
    variables: [{ name: 'unsubscribe_url', required: true }],
  });
  await send(tenant, { template_id: template.id });
  const [ann, ben] = [await mailTo('ann'), await mailTo('ben')];
  for (const mail of [ann, ben]) {
    expect(mail.header).toMatch(/^https:\/\/mail\.postrider\.test\/u\/[\w-]+$/);
    expect(mail.html).toContain(`<a href="${mail.header}">Leave</a>`);
    expect(mail.html).toMatch(/href="https:\/\/mail\.postrider\.test\/t\/c\/[\w-]+">Shop/);
    expect(mail.text.trim()).toBe(`Leave: ${mail.header}`);
    expect(mail.html).not.toContain('evil');
  }
  expect(ann.header).not.toBe(ben.header);

  expect(await open(ann.header, 'GET')).toMatchObject({ status: 200 });
  expect((await contactOf(tenant, 'ann@sink.test')).status).toBe('subscribed');
  expect((await open(ann.header, 'POST')).status).toBeLessThan(300);
  await waitUntil(async () => (await contactOf(tenant, 'ann@sink.test')).status === 'unsubscribed');
  await send(tenant, { subject: 'second', html: '<a href="{{ unsubscribe_url }}">Leave</a>' });
  expect(world.received('ben@')).toHaveLength(2);
  expect(world.received('ann@')).toHaveLength(1);
  expect((await mailTo('ben')).html).toContain('/u/');
});

test('mail of one’s own keeps the variable that it was given', async () => {
  const tenant = await world.makeTenant();
  const template = await tenant.ask('POST', '/templates', {
    name: 'receipt',
    subject: 's',
    text: 'Leave: {{ unsubscribe_url }}',
  });
  await tenant.ask('POST', '/transactional/send', {
    from: `shop@${tenant.domain}`,
    to: 'cem@sink.test',
    template_id: template.id,
    variables: { unsubscribe_url: 'https://shop.example/leave' },
  });
  await waitUntil(() => world.received('cem@').length > 0);
  expect(world.received('cem@')[0]!.raw).toContain('Leave: https://shop.example/leave');
});

test('mail of one’s own has the link when it asks for it, as each of its recipients does', async () => {
  const tenant = await world.makeTenant();
  const template = await tenant.ask('POST', '/templates', {
    name: 'digest',
    subject: 's',
    text: 'Leave: {{ unsubscribe_url }}',
    variables: [{ name: 'unsubscribe_url', required: true }],
  });
  const from = `shop@${tenant.domain}`;
  const html = '<a href="https://shop.example/">Shop</a> <a href="{{unsubscribe_url}}">Leave</a>';
  const body = { from, to: ['dan@sink.test'], cc: ['eva@sink.test'], unsubscribe: true };
  const sent = await tenant.ask('POST', '/transactional/send', { ...body, subject: 's', html });
  const [dan, eva] = [await mailTo('dan'), await mailTo('eva')];
  for (const mail of [dan, eva]) {
    expect(mail.header).toMatch(/^https:\/\/mail\.postrider\.test\/u\/[\w-]+$/);
    expect(mail.html).toContain(`<a href="${mail.header}">Leave</a>`);
    expect(mail.html).toMatch(/href="https:\/\/mail\.postrider\.test\/t\/c\/[\w-]+">Shop/);
    expect(mail.text).toContain(mail.header);
  }
  expect(dan.header).not.toBe(eva.header);
  const { items } = await tenant.ask('POST', '/transactional/batch', {
    messages: [{ from, to: 'fay@sink.test', template_id: template.id, unsubscribe: true }],
  });
  expect(items[0].status).toBe('queued');
  const fay = await mailTo('fay');
  expect(fay.text.trim()).toBe(`Leave: ${fay.header}`);
  const raw = world.received('fay@')[0]!.raw.replaceAll('\r\n ', '');
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(raw).toMatch(/[ ;]h=[^;]*list-unsubscribe:\s*list-unsubscribe-post/);

  expect((await open(eva.header, 'POST')).status).toBe(200);
  const again = await tenant.ask('POST', '/transactional/send', { ...body, subject: 's', html });
  expect(again.recipients.map(({ reason }: { reason: string | null }) => reason)).toEqual([
    null,
    'suppressed',
  ]);
  const read = await tenant.ask('GET', `/transactional/${sent.recipients[1].id}`);
  expect(read.events.map(({ type }: { type: string }) => type)).toContain('unsubscribe');
  const first = await tenant.ask('GET', `/transactional/${sent.id}`);
  expect(first.events.map(({ type }: { type: string }) => type)).not.toContain('unsubscribe');
});

test('or it brings a pair of its own, which is signed; what providers could not use is refused', async () => {
  const tenant = await world.makeTenant();
  const mail = {
    from: `shop@${tenant.domain}`,
    to: 'gus@sink.test',
    subject: 's',
    text: 'See {{ unsubscribe_url }}',
  };
  const headers = {
    'List-Unsubscribe': '<mailto:leave@shop.example>, <https://shop.example/leave?t=1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  await tenant.ask('POST', '/transactional/send', { ...mail, headers });
  await waitUntil(() => world.received('gus@').length > 0);
  const raw = world.received('gus@')[0]!.raw.replaceAll('\r\n ', ' ');
  expect(raw).toContain(`\r\nList-Unsubscribe: ${headers['List-Unsubscribe']}\r\n`);
  expect(raw).toMatch(/[ ;]h=[^;]*list-unsubscribe: *list-unsubscribe-post/);
  expect(raw).toContain('See {{ unsubscribe_url }}');
  for (const [more, path] of [
    [{ headers: { ...headers, 'List-Unsubscribe': '<mailto:leave@shop.example>' } }, 'headers'],
    [{ headers, unsubscribe: true }, 'unsubscribe'],
    [{ esp: 'nowhere' }, 'esp'],
  ] as const) {
    const answer = await tenant.call('POST', '/transactional/send', { ...mail, ...more });
    expect(answer).toMatchObject({ status: 422, json: { details: [{ path }] } });
  }
});
