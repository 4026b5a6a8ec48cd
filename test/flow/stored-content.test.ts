// What messages say, in the record: packed, or as versions before packing left it. Both are delivered, also again after a
// refusal, and shown; one that is damaged is not sent, and holds up nobody.

import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import { openSender } from '../../core/clients/sender.ts';
import { OutgoingMessage } from '../../core/gen/sender/v1/sender.ts';
import { createKey } from '../../core/key/keys.ts';
import { unpackContent } from '../../core/message/stored-content.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const tls = new Agent({ connect: { rejectUnauthorized: false } });
const ROW =
  '<tr><td style="padding:4px 12px;font-family:Arial,sans-serif">An apple</td><td>1.20 EUR</td></tr>\n';
const HTML = `<table>${ROW.repeat(220)}</table>`; // 20 kB
const PDF = Buffer.from('%PDF-1.7 and a little more');

let stack: Stack;
let account: Account;
let key: string;
let refuseFirst = false;
beforeAll(async () => {
  stack = await createStack({
    api: true,
    env: { TEST_RETRY_SCALE: '0.005', WORKER_LEASE_MS: '2000' },
    sink: {
      dot: () => {
        const refuses = refuseFirst;
        refuseFirst = false;
        return refuses ? { reply: '451 4.3.0 later' } : { reply: '250 2.0.0 ok' };
      },
    },
  });
  account = await stack.makeAccount({ tier: 5 });
  const scopes = ['transactional:send', 'transactional:read'];
  key = (await createKey(stack.context, TESTER, { tenantId: account.tenantId, name: 'stored', scopes }))
    .value;
});
afterAll(() => stack.close());

async function rest(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${stack.baseUrl}${path}`, {
    method,
    dispatcher: tls,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return Buffer.from(await answer.arrayBuffer());
}

async function send(subject: string, more: Record<string, unknown> = {}): Promise<string> {
  const body = {
    from: `Shop <shop@${account.domain}>`,
    to: 'ann@sink.test',
    subject,
    html: HTML,
    track_opens: false,
    attachments: [{ filename: 'a.pdf', content: PDF.toString('base64') }],
    ...more,
  };
  return JSON.parse((await rest('POST', '/transactional/send', body)).toString()).data.id;
}

async function stored(id: string): Promise<{ bytes: Buffer; plainOctets: number | null }> {
  const { rows } = await stack.context.db.pool.query<{ bytes: Buffer; plainOctets: number | null }>(
    `select content as bytes, plain_octets as "plainOctets" from message_contents where message_id = $1`,
    [fromId('msg', id)],
  );
  return rows[0]!;
}

// Asked of the record: a key has 60 requests a minute.
interface Row {
  state: string;
  attempts: number;
  claims: number;
}

async function rowOf(id: string): Promise<Row> {
  const { rows } = await stack.context.db.pool.query<Row>(
    'select state, attempts, claim_version as claims from messages where id = $1',
    [fromId('msg', id)],
  );
  return rows[0]!;
}
const delivered = (id: string) => waitUntil(async () => (await rowOf(id)).state === 'delivered');
const receivedAs = (subject: string) =>
  stack.sink.messages.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`)).map(({ raw }) => raw);
const withoutSignature = (raw: Buffer) =>
  raw.toString('latin1').replace(/DKIM-Signature:[^\r]*(\r\n[ \t][^\r]*)*\r\n/g, '');

async function expectShown(id: string, subject: string): Promise<void> {
  const { data } = JSON.parse((await rest('GET', `/transactional/${id}/content`)).toString());
  expect(data).toMatchObject({ subject, html: HTML, attachments: [{ filename: 'a.pdf' }] });
  const wire = receivedAs(subject).at(-1)!;
  expect(withoutSignature(await rest('GET', `/transactional/${id}/raw`))).toBe(withoutSignature(wire));
  expect((await rest('GET', `/transactional/${id}/attachments/0`)).equals(PDF)).toBe(true);
}

test('a mail of 20 kB is packed, delivered, tried again from the record, and shown', async () => {
  refuseFirst = true;
  const id = await send('Packed');
  await delivered(id);
  expect((await rowOf(id)).attempts).toBe(2); // the second is made of what the record has
  const { bytes, plainOctets } = await stored(id);
  expect(plainOctets).toBeGreaterThan(20_000);
  expect(bytes.length).toBeLessThan(plainOctets! / 4);
  await expectShown(id, 'Packed');
});

test('what waits is read from the record when it is due: packed, and as it was stored before', async () => {
  const at = () => new Date(Date.now() + 3_600_000).toISOString();
  const packed = await send('Later, packed', { scheduled_at: at() });
  const plain = await send('Later, plain', { scheduled_at: at() });
  const damaged = await send('Later, damaged', { scheduled_at: at() });
  const { pool } = stack.context.db;
  const { bytes } = await stored(plain);
  const before = await unpackContent(bytes);
  const set = 'update message_contents set content = $2, plain_octets = $3 where message_id = $1';
  await pool.query(set, [fromId('msg', plain), before, null]);
  const cut = (await stored(damaged)).bytes.subarray(0, 200);
  await pool.query(set, [fromId('msg', damaged), cut, before.length]);
  await pool.query(`update messages set deferred_until = now() where state = 'deferred'`);
  await Promise.all([delivered(packed), delivered(plain)]);
  for (const [id, subject] of [
    [packed, 'Later, packed'],
    [plain, 'Later, plain'],
  ] as const) {
    expect(receivedAs(subject)).toHaveLength(1);
    await expectShown(id, subject);
  }
  expect(receivedAs('Later, damaged')).toEqual([]);
  // Claimed, not composed, and put back to be tried again.
  await waitUntil(async () => {
    const { state, claims } = await rowOf(damaged);
    return claims > 1 && state !== 'sending';
  });
  expect((await rowOf(damaged)).attempts).toBe(0);
});

test('PACK_CONTENT=false stores what any version can read', async () => {
  const own = await createStack({ env: { PACK_CONTENT: 'false' } });
  try {
    const { tenantId, domain } = await own.makeAccount({ tier: 5 });
    const sender = openSender(
      { ...own.context.config, SENDER_ADDRESSES: own.senderAddresses() },
      own.context.log,
    );
    const from = `Shop <shop@${domain}>`;
    const message = OutgoingMessage.fromPartial({
      from,
      to: ['ann@sink.test'],
      subject: 'Plain',
      html: HTML,
    });
    await sender.send({
      tenantId: toId('tnt', tenantId),
      clientRef: '',
      messageId: toId('msg', newUuid()),
      message,
      idempotency: undefined,
    });
    await waitUntil(() => own.sink.messages.length === 1);
    const { rows } = await own.context.db.pool.query<{ content: Buffer; plain_octets: number | null }>(
      'select content, plain_octets from message_contents where tenant_id = $1',
      [tenantId],
    );
    expect(rows.map((row) => row.plain_octets)).toEqual([null]);
    expect(OutgoingMessage.decode(rows[0]!.content).html).toBe(HTML);
    sender.close();
  } finally {
    await own.close();
  }
});
