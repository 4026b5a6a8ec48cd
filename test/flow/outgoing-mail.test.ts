// What leaves on the wire for each shape of message, as verifiers see it that we did not write.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { deriveKeys } from '../../core/base/secrets.ts';
import { openSender } from '../../core/clients/sender.ts';
import { dkimRecordValue, makeDkimKeys } from '../../core/domain/dkim-key.ts';
import { insertKeys } from '../../core/domain/dkim-store.ts';
import { dkimRecordKey } from '../../core/domain/records.ts';
import { OutgoingMessage, SendRequest, Stream } from '../../core/gen/sender/v1/sender.ts';
import { createKey } from '../../core/key/keys.ts';
import { TESTER } from '../harness/actor.ts';
import { call } from '../harness/api-world.ts';
import { askDkimpy, dkimpyMissing } from '../harness/dkimpy.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';
import { shareStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const LONG =
  'Ihre Bestellung über größere Mengen Äpfel, Birnen und Käse ist heute früh unterwegs zu Ihnen 🎉 ';
const HTML = '<p>Hello <b>Ann</b>, see <a href="https://example.com/x?a=1&amp;b=2">your order</a>.</p>\n.\n';

/** The bodies of sends, without their sender; each is to be signed as it is. */
const SHAPES: Record<string, Record<string, unknown>> = {
  plain: { text: 'Hello Ann,\n\nyour order is on its way.\n' },
  'html and text': { html: HTML, text: 'Hello Ann.\n.\nA line with a trailing blank \n' },
  'html alone': { html: HTML.repeat(400) },
  'not ASCII': {
    name: 'Größe, "Käse" & Söhne 日本',
    subject: 'Grüße aus Zürich – 日本語',
    text: 'Schöne Grüße\n',
    reply_to: 'Jürgen Müller <juergen@sink.test>',
  },
  'a long subject': { subject: LONG.repeat(7), text: 'x' },
  'a long subject of ASCII': { subject: 'Your order of many things is on its way '.repeat(12), text: 'x' },
  'an address that is not ASCII': { to: 'jürgen@sink.test', text: 'Hallo' },
  'a line of 5,000 characters': { text: 'word '.repeat(1000), html: `<p>${'x'.repeat(5000)}</p>` },
  attachments: {
    html: `${HTML}<img src="cid:logo">`,
    attachments: [
      { filename: 'Rechnung März.pdf', content: Buffer.alloc(3000, 7).toString('base64') },
      {
        filename: 'logo.png',
        content: PNG.toString('base64'),
        content_type: 'image/png',
        content_id: 'logo',
      },
    ],
  },
  'several recipients': {
    to: ['Ann@sink.test', '"Bär, Bob" <bob@sink.test>'],
    cc: ['Cem Özil <cem@sink.test>', 'dora@sink.test'],
    bcc: ['eve@sink.test'],
    text: 'To all of you',
  },
  'a link to unsubscribe': { html: '<a href="{{ unsubscribe_url }}">Leave</a>', unsubscribe: true },
  'its own way to unsubscribe': {
    text: 'x',
    headers: {
      'List-Unsubscribe': '<mailto:leave@example.com>, <https://example.com/leave>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  },
  'fields of its own': {
    text: 'x',
    headers: {
      'X-Order': 'Größe 7',
      'In-Reply-To': '<1@example.com>',
      References: '<1@example.com> <2@example.com>',
      'Auto-Submitted': 'auto-generated',
    },
  },
};

const CAMPAIGN = 'a campaign';
// Fields that would go unnoticed if no shape had them.
const WATCHED = [
  'cc',
  'reply-to',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
  'references',
  'cfbl-address',
];

let stack: Stack;
let account: Account;
let key: string;
let records: Record<string, string>;

beforeAll(async () => {
  stack = await shareStack();
  account = await makeAccount(stack.context.db, { tier: 3 });
  const [sealKey] = deriveKeys(stack.context.config, 'secret-box');
  const keys = await makeDkimKeys({ tenantId: account.tenantId, ed25519: true, sealKey });
  await insertKeys(stack.context.db.pool, account, 'active', keys);
  records = Object.fromEntries(
    keys.map((one) => [`${one.selector}._domainkey.${account.domain}`, dkimRecordValue(one)]),
  );
  // A key of Ed25519 signs once its record was seen.
  const seen = Object.fromEntries(keys.map((one) => [dkimRecordKey(one.selector), { status: 'found' }]));
  await stack.context.db.pool.query(
    'update domains set record_status = $2, cfbl_enabled = true where id = $1',
    [account.domainId, JSON.stringify(seen)],
  );
  const scopes = ['transactional:send', 'templates:write'];
  const { tenantId } = account;
  key = (await createKey(stack.context, TESTER, { tenantId, name: 'mail', scopes })).value;
});
afterAll(() => stack?.close());

const ask = (method: string, path: string, body?: unknown) =>
  call(Number(stack.api!.env['API_HTTPS_PORT']), method, `/api/v1${path}`, { key, body });

// The name of the shape travels in a field, since messages may arrive in any order. Gives how many there will be.
async function sendShape(shape: string): Promise<number> {
  const { name = 'Shop', headers = {}, ...more } = SHAPES[shape]!;
  const sent = await ask('POST', '/transactional/send', {
    from: `${JSON.stringify(name)} <shop@${account.domain}>`,
    to: 'Ann@sink.test',
    subject: 'Your order',
    ...more,
    headers: { ...(headers as object), 'X-Shape': shape },
  });
  expect(sent.status, JSON.stringify(sent.json)).toBe(202);
  return sent.json.data.recipients?.length ?? 1;
}

// Only the scheduler sends for a campaign, over gRPC; our List-Unsubscribe pair is on such mail.
async function sendCampaignMail(): Promise<void> {
  const { config, log } = stack.context;
  const sender = openSender({ ...config, SENDER_ADDRESSES: stack.senderAddresses() }, log);
  const message = OutgoingMessage.fromPartial({
    from: `Shop <shop@${account.domain}>`,
    to: ['Ann <ann@sink.test>'],
    subject: 'News',
    html: HTML,
    headers: [{ name: 'X-Shape', value: CAMPAIGN }],
    stream: Stream.STREAM_BULK,
    campaignId: toId('cmp', newUuid()),
  });
  const ids = { tenantId: toId('tnt', account.tenantId), messageId: toId('msg', newUuid()) };
  await sender.send(SendRequest.fromPartial({ ...ids, message }));
  sender.close();
}

function fieldNames(raw: Buffer): string[] {
  const [head = ''] = raw.toString('latin1').split('\r\n\r\n', 1);
  return [...head.matchAll(/^([!-9;-~]+):/gm)].map(([, name = '']) => name.toLowerCase());
}

test.skipIf(skips(dkimpyMissing()))(
  'dkimpy verifies both signatures of every shape, and they cover every field but those that nobody reads',
  async () => {
    let count = 1;
    for (const shape of Object.keys(SHAPES)) count += await sendShape(shape);
    await sendCampaignMail();
    await waitUntil(() => stack.sink.messages.length === count);
    const messages = stack.sink.messages.map(({ raw }) => raw);
    const verdicts = await askDkimpy(messages, records);
    for (const [i, raw] of messages.entries()) {
      const [, shape] = /^X-Shape: (.*)\r$/m.exec(raw.toString('latin1'))!;
      const verified = verdicts[i]!.map(({ algorithm, ok }) => `${algorithm} ${ok}`).sort();
      expect(verified, shape).toEqual(['ed25519-sha256 true', 'rsa-sha256 true']);
      const covered = fieldNames(raw).filter((name) => name !== 'dkim-signature' && !name.startsWith('x-'));
      for (const { signed } of verdicts[i]!) expect(signed, shape).toEqual(expect.arrayContaining(covered));
    }
    expect([...new Set(messages.flatMap(fieldNames))]).toEqual(expect.arrayContaining(WATCHED));
    const changed = messages.map((raw) =>
      Buffer.from(raw.toString('latin1').replace(/^Subject: /m, 'Subject: Re: '), 'latin1'),
    );
    expect((await askDkimpy(changed, records)).flat().filter(({ ok }) => ok)).toEqual([]);
  },
);

test('a template that fails to render sends nothing, and the event says where it failed', async () => {
  const { length: before } = stack.sink.messages;
  const text = 'Each pays\n {{ total | divided_by: people }}';
  const made = await ask('POST', '/templates', { name: 'share', subject: 'Your share', text });
  const sent = await ask('POST', '/transactional/send', {
    from: `shop@${account.domain}`,
    to: 'ann@sink.test',
    template_id: made.json.data.id,
    variables: { total: 10, people: 0 },
  });
  expect(sent.status).toBe(202);
  const read = () => ask('GET', `/transactional/${sent.json.data.id}`);
  await waitUntil(async () => (await read()).json.data.status === 'dropped');
  const diagnostic = 'text: line 2, column 2: divided by 0';
  expect((await read()).json.data.events).toMatchObject([
    { type: 'accepted' },
    { type: 'dropped', data: { reason: 'render_failed', diagnostic } },
  ]);
  expect(stack.sink.messages).toHaveLength(before);
});
