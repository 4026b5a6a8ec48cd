// What is looked at once more before a message goes: suppression, domain, TLS, and what exactly leaves on the wire.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

import { newUuid } from '../../core/base/ids.ts';
import { Stream } from '../../core/gen/sender/v1/sender.ts';
import { addSuppressions } from '../../core/suppression/suppression-store.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { waitUntil } from '../harness/wait.ts';

let world: DeliveryWorld;

beforeAll(async () => {
  world = await createDeliveryWorld();
  await world.open();
});

afterAll(() => world.close());

const suppress = (email: string, reason: 'manual' | 'unsubscribe' = 'manual') =>
  addSuppressions(world.context.db.pool, [
    { tenantId: world.account.tenantId, email, reason, sourceMessageId: null },
  ]);

test('an address suppressed after acceptance gets no MAIL FROM; the message is dropped', async () => {
  const peer = await world.startPeer('quiet.test');
  await suppress('ann@quiet.test');
  const id = await world.queue('Ann@quiet.test');
  const row = await world.untilState(id, 'dropped');
  expect(row).toMatchObject({ reason: 'suppressed', attempts: 0, next_attempt_at: null });
  expect(peer.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(0);
  expect(await world.rows('select type, data from events where message_id = $1', [id])).toMatchObject([
    { type: 'dropped', data: { reason: 'suppressed' } },
  ]);
});

test('an address suppressed between two attempts gets no second one', async () => {
  const peer = await world.startPeer('between.test', { rcpt: () => '451 4.3.0 try later' });
  const id = await world.queue('ann@between.test');
  await world.untilState(id, 'deferred');
  await suppress('ann@between.test');
  const before = peer.commands.filter((line) => line.startsWith('MAIL')).length;
  await world.untilState(id, 'dropped');
  expect(peer.commands.filter((line) => line.startsWith('MAIL')).length).toBeLessThanOrEqual(before + 1);
  expect(peer.messages).toHaveLength(0);
});

const raw = (from: string, more = '') =>
  Buffer.from(`From: ${from}\r\nTo: ann@left.test\r\nSubject: s\r\n${more}\r\nx\r\n`);
const LEAVE = { name: 'List-Unsubscribe', value: '<https://shop.example/leave>' };

test.each([
  ['campaign mail', 'dropped', () => ({ stream: Stream.STREAM_BULK })],
  ['mail with our link', 'dropped', () => ({ unsubscribe: true })],
  ['mail with a List-Unsubscribe of its own', 'dropped', () => ({ headers: [LEAVE] })],
  [
    'ready-made mail with one',
    'dropped',
    (from: string) => ({ raw: raw(from, `${LEAVE.name.toUpperCase()}: ${LEAVE.value}\r\n`) }),
  ],
  ['mail without', 'delivered', () => ({})],
  ['ready-made mail without', 'delivered', (from: string) => ({ raw: raw(from) })],
] as const)('%s to somebody who unsubscribed while it was in flight is %s', async (what, end, outgoing) => {
  const domain = `left-${what.replaceAll(/[^a-z]/gi, '')}.test`.toLowerCase();
  const email = `ann@${domain}`;
  // The recipient unsubscribes after the check before MAIL FROM; a peer that takes its time has the sender check again.
  const peer = await world.startPeer(domain, {
    data: () => ({ reply: '354 go on', after: suppress(email, 'unsubscribe'), afterMs: 100 }),
  });
  const from = `shop@${world.account.domain}`;
  const id = await world.queue(email, { outgoing: outgoing(from) });
  const row = await world.untilState(id, 'dropped', 'delivered');
  expect(row.state).toBe(end);
  expect(peer.messages).toHaveLength(end === 'delivered' ? 1 : 0);
  if (end === 'delivered') return;
  expect(await world.rows('select decisions from messages where id = $1', [id])).toMatchObject([
    { decisions: [{ rule: 'suppressed', inputs: { stream: 'bulk' } }] },
  ]);
});

test.each([
  ["warmup_state = 'paused'", "warmup_state = 'active'"],
  ["status = 'failed'", "status = 'verified'"],
])('mail of a domain with %s waits, and goes when it may', async (before, after) => {
  const own = await createDeliveryWorld();
  try {
    const peer = await own.startPeer('pause.test');
    await own.rows(`update domains set ${before}`);
    await own.open();
    const id = await own.queue('ann@pause.test');
    const row = await own.untilState(id, 'deferred');
    expect(row).toMatchObject({ defer_reason: 'domain_paused', attempts: 0 });
    expect(row.next_attempt_at).not.toBeNull();
    expect(peer.connections).toBe(0);
    await own.rows(`update domains set ${after}`);
    await own.untilState(id, 'delivered');
  } finally {
    await own.close();
  }
});

test('what leaves has CRLF line ends only, stuffed dots, and a DKIM signature that verifies', async () => {
  const peer = await world.startPeer('wire.test');
  const text = 'first\n.\n..two\rthree\r\n.four\n\ngrüße\n';
  const id = await world.queue('ann@wire.test', {
    text,
    html: `<p>${'long line '.repeat(300)}</p>`,
    subject: 'Grüße',
  });
  await world.untilState(id, 'delivered');
  const { raw, wire } = peer.messages[0]!;
  expect(/(^|[^\r])\n|\r([^\n]|$)/.test(wire.toString('latin1'))).toBe(false);
  expect(wire.toString('latin1').endsWith('\r\n.\r\n')).toBe(true);
  const verified = await dkimVerify(raw, {
    resolver: async () => [[world.dkimRecord]],
  });
  expect(verified.results).toMatchObject([
    { status: { result: 'pass' }, signingDomain: world.account.domain },
  ]);
});

test('a domain that wants it names its complaint address in a field that its signature covers', async () => {
  const peer = await world.startPeer('cfbl.test');
  const { domain, domainId } = world.account;
  const deliver = async () => {
    await world.untilState(await world.queue('ann@cfbl.test', { text: 'x' }), 'delivered');
    return peer.messages.at(-1)!.raw;
  };
  expect((await deliver()).toString()).not.toMatch(/^CFBL-/im);
  await world.rows('update domains set cfbl_enabled = true where id = $1', [domainId]);
  const field = `CFBL-Address: complaints@bounces.${domain}; report=arf`;
  await waitUntil(async () => (await deliver()).toString().includes(field)); // settings are believed for a second
  const raw = peer.messages.at(-1)!.raw;
  const verified = await dkimVerify(raw, { resolver: async () => [[world.dkimRecord]] });
  expect(verified.results).toMatchObject([{ status: { result: 'pass' }, signingDomain: domain }]);
  expect(verified.results[0]!.signingHeaders!.keys.toLowerCase()).toContain('cfbl-address');
  await world.rows('update domains set cfbl_enabled = false where id = $1', [domainId]);
  await waitUntil(async () => !(await deliver()).toString().includes(field)); // the next test has the same domain
});

test('mail of a domain that was deleted is dropped, not kept for ever', async () => {
  const peer = await world.startPeer('orphan.test');
  const id = await world.queue('ann@orphan.test', { domainId: newUuid() });
  await world.untilState(id, 'dropped');
  expect(peer.connections).toBe(0);
  expect(await world.rows('select data from events where message_id = $1', [id])).toMatchObject([
    { data: { reason: 'domain_deleted' } },
  ]);
});

test('the same message has the same bytes on every attempt, but for its signature', async () => {
  const bodies: string[] = [];
  await world.startPeer('same.test', {
    dot: ({ raw }) => {
      bodies.push(raw.toString('latin1').replace(/^DKIM-Signature:.*\r\n([ \t].*\r\n)*/, ''));
      return bodies.length === 1 ? '451 4.3.0 once more' : '250 ok';
    },
  });
  await world.untilState(await world.queue('ann@same.test', { html: '<p>hi</p>' }), 'delivered');
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toBe(bodies[1]);
});

test('STARTTLS is used where it is offered, whatever the certificate', async () => {
  const peer = await world.startPeer('tls.test', { tls: true });
  const id = await world.queue('ann@tls.test');
  await world.untilState(id, 'delivered');
  expect(peer.messages[0]!.tls).toBe(true);
  expect(await world.rows('select * from message_attempts where message_id = $1', [id])).toMatchObject([
    {
      tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
      tls_verified: false,
      tls_policy: null,
      certificate: {
        subject: 'CN=peer.test',
        expiresAt: '2126-10-28T03:09:15.000Z',
        fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      },
    },
  ]);
});

test('with TLS required, a peer without STARTTLS gets nothing', async () => {
  const strict = await createDeliveryWorld({ OUTBOUND_TLS: 'required' });
  try {
    const peer = await strict.startPeer('plain.test');
    await strict.open();
    const id = await strict.queue('ann@plain.test');
    const row = await strict.untilState(id, 'deferred');
    expect(row.defer_reason).toBe('network');
    expect(peer.messages).toHaveLength(0);
    peer.script.tls = true;
    await strict.untilState(id, 'delivered');
    await waitUntil(() => peer.messages.length === 1);
    expect(peer.messages[0]!.tls).toBe(true);
  } finally {
    await strict.close();
  }
});
