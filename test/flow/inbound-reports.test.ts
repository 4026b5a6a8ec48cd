// Bounces and complaints find the message that they are about; forged ones, and automatic answers, find nothing.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { makeMessageId } from '../../core/mail/compose/message-id.ts';
import { createUnsubscribeUrl } from '../../core/tracking/unsubscribe-url.ts';
import {
  aolReport,
  arfReport,
  dsnReport,
  jmrpReport,
  plainReport,
  yahooReport,
  type Returned,
} from '../harness/report-mail.ts';
import {
  makeAccount,
  makeSent,
  openWorld,
  sendMail,
  until,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import { connectSmtp } from '../harness/smtp-client.ts';
import { addEvents } from '../harness/event-rows.ts';
import type { Account } from '../harness/factories.ts';

let world: InboundWorld;
let account: Account;

beforeAll(async () => {
  world = await openWorld();
  account = await makeAccount(world.context.db);
});
afterAll(() => world.close());

const query = async (text: string, values: unknown[]) =>
  (await world.context.db.pool.query(text, values)).rows;
const events = (id: string) =>
  query('select type, data, recipient from events where message_id = $1 order by id', [id]);
const suppression = async (email: string) =>
  (
    await query('select * from suppressions where tenant_id = $1 and email = $2', [account.tenantId, email])
  )[0];
const state = async (id: string) => (await query('select state from messages where id = $1', [id]))[0]?.state;

/** Sends a report and waits until it was read; returns what became of it. */
async function report(to: string, data: string | Buffer): Promise<string | null> {
  const reply = await sendMail(world.port, { from: '', to, data });
  expect(reply).toMatch(/^250/);
  const rawId = /as (\S+)$/.exec(reply)![1];
  return until(async () => {
    const [row] = await query(
      `select m.outcome, r.work_due_at from inbound_messages m join inbound_raws r on r.id = m.raw_id
       where r.id = $1`,
      [rawId],
    );
    return row?.work_due_at === null ? (row.outcome ?? 'none') : null;
  });
}

test('a hard bounce after delivery: event, state and suppression', async () => {
  const sent = await makeSent(world.context, account);
  expect(await report(sent.returnPath, dsnReport(sent.rcptTo, '5.1.1', '550 5.1.1 User unknown'))).toBe(
    'hard bounce',
  );
  expect(await state(sent.id)).toBe('bounced');
  expect(await events(sent.id)).toEqual([
    {
      type: 'bounced',
      recipient: sent.rcptTo,
      data: {
        kind: 'hard',
        class: 'invalid_recipient',
        smtp_code: 550,
        enhanced_code: '5.1.1',
        diagnostic: '550 5.1.1 User unknown',
        source: 'dsn',
      },
    },
  ]);
  expect(await suppression(sent.rcptTo)).toMatchObject({ reason: 'bounce', source_message_id: sent.id });
  expect(await report(sent.returnPath, dsnReport(sent.rcptTo, '5.1.1', '550 5.1.1 User unknown'))).toBe(
    'known already',
  );
  expect(await events(sent.id)).toHaveLength(1);
});

test('who is gone behind an address, a member of a list or a forward, takes nobody off', async () => {
  const list = await makeSent(world.context, account);
  const gone = 'gone@elsewhere.test';
  expect(await report(list.returnPath, dsnReport(gone, '5.1.1', '550 5.1.1 User unknown'))).toBe(
    'soft bounce',
  );
  expect((await events(list.id))[0]).toMatchObject({ recipient: list.rcptTo, data: { kind: 'soft' } });
  expect([await suppression(list.rcptTo), await suppression(gone)]).toEqual([undefined, undefined]);

  const rewritten = await makeSent(world.context, account); // by the recipient's own host
  const inner = rewritten.rcptTo.replace('@', '@inner.');
  expect(await report(rewritten.returnPath, dsnReport(inner, '5.1.1', '550 5.1.1 User unknown'))).toBe(
    'hard bounce',
  );
  expect(await suppression(rewritten.rcptTo)).toMatchObject({ reason: 'bounce' });
});

test('a full mailbox is a soft bounce: final, but nobody is suppressed', async () => {
  const sent = await makeSent(world.context, account);
  const outcome = await report(
    sent.returnPath.toUpperCase(),
    dsnReport(sent.rcptTo, '5.2.2', '552 5.2.2 Mailbox full'),
  );
  expect(outcome).toBe('soft bounce');
  expect(await state(sent.id)).toBe('bounced');
  expect((await events(sent.id))[0].data).toMatchObject({
    kind: 'soft',
    class: 'mailbox_full',
    source: 'dsn',
  });
  expect(await suppression(sent.rcptTo)).toBeUndefined();
});

test('a delay changes no state', async () => {
  const sent = await makeSent(world.context, account);
  const outcome = await report(sent.returnPath, dsnReport(sent.rcptTo, '4.4.1', '421 4.4.1 busy', 'delayed'));
  expect(outcome).toBe('delayed');
  expect(await state(sent.id)).toBe('delivered');
  expect(await events(sent.id)).toMatchObject([{ type: 'deferred', data: { source: 'dsn' } }]);

  // What PostgreSQL cannot hold is no reason to try forever: this one was read again each minute.
  const odd = dsnReport(sent.rcptTo, '4.4.1', '421 4.4.1 a\0b', 'delayed');
  expect(await report(sent.returnPath, odd)).toBe('delayed');
  expect(await report(sent.returnPath, odd)).toBe('known already');
});

test('what PostgreSQL cannot hold is no reason to try a report again and again', async () => {
  const sent = await makeSent(world.context, account);
  const odd =
    'Content-Type: multipart/report; boundary=p\r\n\r\n--p\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: a\0b\r\n--p--\r\n';
  expect(await report(`complaints@bounces.${account.domain}`, odd)).toBe('not a complaint: ab');
  expect(await state(sent.id)).toBe('delivered');
});

test('a delay notice in plain words is an event, and nothing else', async () => {
  const sent = await makeSent(world.context, account);
  const notice = `From: Mailer-Daemon@mx.remote.test\r\nSubject: Warning: message delayed 24 hours\r\n\r\nYour message has not yet been delivered to:\r\n\r\n  ${sent.rcptTo}\r\n    550 User unknown\r\n\r\nDelivery attempts will continue.\r\n`;
  expect(await report(sent.returnPath, notice)).toBe('delayed');
  expect(await report(sent.returnPath, notice)).toBe('known already');
  expect(await state(sent.id)).toBe('delivered');
  expect(await events(sent.id)).toMatchObject([{ type: 'deferred', data: { source: 'dsn' } }]);
  expect(await suppression(sent.rcptTo)).toBeUndefined();
});

test('a report that overtakes the record of the delivery waits for it', async () => {
  const sent = await makeSent(world.context, account, { state: 'sending' });
  const outcome = report(sent.returnPath, dsnReport(sent.rcptTo, '5.1.1', '550 5.1.1 User unknown'));
  await until(
    async () => (await query('select 1 from inbound_raws where work_due_at > now()', [])).length > 0,
  );
  expect(await state(sent.id)).toBe('sending');
  await query("update messages set state = 'delivered' where id = $1", [sent.id]);
  expect(await outcome).toBe('hard bounce');
  expect(await state(sent.id)).toBe('bounced');
});

test('out of office is no bounce', async () => {
  const sent = await makeSent(world.context, account);
  const data =
    'From: r@remote.test\r\nSubject: Automatic reply: Hello\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n';
  expect(await report(sent.returnPath, data)).toBe('automatic reply');
  expect(await events(sent.id)).toEqual([]);
  expect(await state(sent.id)).toBe('delivered');
});

test('the reply of a person to the return path is no bounce, whatever its subject', async () => {
  const sent = await makeSent(world.context, account);
  const data =
    'From: Ann <ann@remote.test>\r\nSubject: Re: Delivery failed: your parcel 123\r\n\r\nThe parcel could not be delivered.\r\n';
  expect(await report(sent.returnPath, data)).toBe('no report');
  expect(await events(sent.id)).toEqual([]);
  expect(await state(sent.id)).toBe('delivered');
});

test('a forged return path is taken and ignored', async () => {
  const sent = await makeSent(world.context, account);
  const [local = '', domain = ''] = sent.returnPath.split('@');
  const changed = `${local.slice(0, -1)}${local.endsWith('a') ? 'b' : 'a'}@${domain}`;
  const other = await makeAccount(world.context.db);
  for (const to of [changed, `b+aaaa@${domain}`, `${local}@bounces.${other.domain}`]) {
    expect(await report(to, dsnReport(sent.rcptTo, '5.1.1', '550 5.1.1 User unknown'))).toBe('not ours');
  }
  expect(await events(sent.id)).toEqual([]);
  expect(await state(sent.id)).toBe('delivered');
  expect(await suppression(sent.rcptTo)).toBeUndefined();
});

test('a complaint: event and suppression, once', async () => {
  const sent = await makeSent(world.context, account);
  const to = `complaints@bounces.${account.domain}`;
  expect(await report(to, arfReport(sent.returnPath, 'abuse'))).toBe('complaint');
  expect(await events(sent.id)).toMatchObject([
    { type: 'complaint', data: { feedback_type: 'abuse', source: 'arf' } },
  ]);
  expect(await suppression(sent.rcptTo)).toMatchObject({ reason: 'complaint', source_message_id: sent.id });
  expect(await report(to, arfReport(sent.returnPath, 'abuse'))).toBe('known already');
  expect(await events(sent.id)).toHaveLength(1);
});

test('a complaint about an address that is suppressed for a bounce weighs more; a later bounce changes nothing', async () => {
  const sent = await makeSent(world.context, account);
  await report(sent.returnPath, dsnReport(sent.rcptTo, '5.1.1', '550 5.1.1 User unknown'));
  expect(await suppression(sent.rcptTo)).toMatchObject({ reason: 'bounce' });
  await report(`complaints@bounces.${account.domain}`, arfReport(sent.returnPath, 'abuse'));
  expect(await suppression(sent.rcptTo)).toMatchObject({ reason: 'complaint', source_message_id: sent.id });
  const later = await makeSent(world.context, account, { rcptTo: sent.rcptTo });
  await report(later.returnPath, dsnReport(sent.rcptTo, '5.1.1', '550 5.1.1 User unknown'));
  expect(await suppression(sent.rcptTo)).toMatchObject({ reason: 'complaint', source_message_id: sent.id });
});

test('a complaint without a token of ours, at another domain, or of another meaning is ignored', async () => {
  const sent = await makeSent(world.context, account);
  const other = await makeAccount(world.context.db);
  const to = `complaints@bounces.${account.domain}`;
  expect(await report(to, arfReport(`news@${account.domain}`, 'abuse'))).toBe('names no message of ours');
  expect(await report(to, arfReport(sent.returnPath.replace('b+', 'b+a'), 'abuse'))).toBe(
    'names no message of ours',
  );
  expect(await report(`complaints@bounces.${other.domain}`, arfReport(sent.returnPath, 'abuse'))).toBe(
    'no such message',
  );
  expect(await report(to, arfReport(sent.returnPath, 'not-spam'))).toBe('not a complaint: not-spam');
  expect(await report(to, 'From: x@y.test\r\nSubject: stop\r\n\r\nstop it\r\n')).toBe('no report');
  expect(await events(sent.id)).toEqual([]);
  expect(await suppression(sent.rcptTo)).toBeUndefined();
});

/** A message that was sent, as reports return it. */
async function returned(of: Account = account, more: { rcptTo?: string } = {}) {
  const sent = await makeSent(world.context, of, more);
  return { ...sent, mail: { messageId: makeMessageId(sent.id, of.domain), to: sent.rcptTo } };
}
const complaintsOf = (of: Account) => `complaints@bounces.${of.domain}`;

const SHAPES: [string, (mail: Returned) => string][] = [
  ['Microsoft JMRP', (mail) => jmrpReport(mail, mail.to)],
  ['Microsoft JMRP that names nobody', (mail) => jmrpReport(mail, null)],
  ['AOL', aolReport],
  ['Yahoo CFL', (mail) => yahooReport(mail, mail.to.toUpperCase())],
  ['ARF with the headers alone', (mail) => plainReport(mail)],
  ['ARF with a removal recipient', (mail) => plainReport(mail, mail.to)],
];

test.each(SHAPES)('%s without the return path counts by the Message-ID', async (_name, write) => {
  const sent = await returned();
  const other = await makeAccount(world.context.db);
  expect(await report(complaintsOf(other), write(sent.mail))).toBe('no such message');
  const unknown = { ...sent.mail, messageId: makeMessageId(newUuid(), account.domain) };
  expect(await report(complaintsOf(account), write(unknown))).toBe('no such message');
  expect(await events(sent.id)).toEqual([]);
  expect(await report(complaintsOf(account), write(sent.mail))).toBe('complaint');
  expect(await events(sent.id)).toMatchObject([
    { type: 'complaint', recipient: sent.rcptTo, data: { feedback_type: 'abuse', source: 'arf' } },
  ]);
  expect(await suppression(sent.rcptTo)).toMatchObject({ reason: 'complaint', source_message_id: sent.id });
});

test('a report that names another recipient than the message had does not count', async () => {
  const sent = await returned();
  for (const data of [
    jmrpReport(sent.mail, 'eve@remote.test'),
    jmrpReport({ ...sent.mail, to: 'eve@remote.test' }, null),
    yahooReport(sent.mail, 'eve@remote.test'),
    plainReport(sent.mail, 'eve@remote.test'),
  ]) {
    expect(await report(complaintsOf(account), data)).toBe('names another recipient');
  }
  expect(await events(sent.id)).toEqual([]);
  expect(await suppression(sent.rcptTo)).toBeUndefined();
});

test('of a submission to several, the one that the report names complained', async () => {
  const first = await returned();
  const half = first.id.slice(0, 18);
  const second = await makeSent(world.context, account, { id: `${half}-8aaa-aaaaaaaaaaaa` });
  await query('update messages set group_id = $1 where id in ($1, $2)', [first.id, second.id]);
  const mail = { ...first.mail, to: `${first.rcptTo}, ${second.rcptTo}` };
  expect(await report(complaintsOf(account), aolReport(mail))).toBe('names none of several recipients');
  expect(await report(complaintsOf(account), jmrpReport(first.mail, null))).toBe(
    'names none of several recipients',
  );
  expect(await report(complaintsOf(account), jmrpReport(mail, 'eve@remote.test'))).toBe(
    'names another recipient',
  );
  expect(await report(complaintsOf(account), jmrpReport(mail, second.rcptTo))).toBe('complaint');
  expect(await events(first.id)).toEqual([]);
  expect(await events(second.id)).toMatchObject([{ type: 'complaint', recipient: second.rcptTo }]);
});

test('the unsubscribe link says whose complaint it is, though the Message-ID was replaced', async () => {
  const sent = await returned();
  const link = createUnsubscribeUrl(world.context.config);
  const { tenantId } = account;
  const unsubscribeUrl = link({ id: sent.id, tenantId, rcptTo: sent.rcptTo });
  const mail = { messageId: '<1@relay.test>', to: 'undisclosed', unsubscribeUrl };
  const forged = {
    ...mail,
    unsubscribeUrl: unsubscribeUrl.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
  };
  expect(await report(complaintsOf(account), aolReport(forged))).toBe('names no message of ours');
  const other = await makeAccount(world.context.db);
  expect(await report(complaintsOf(other), aolReport(mail))).toBe('no such message');
  expect(await report(complaintsOf(account), aolReport(mail))).toBe('complaint');
  expect(await events(sent.id)).toMatchObject([{ type: 'complaint' }]);
});

test('of a submission to several, the unsubscribe link says whose copy was returned: the first, or a Bcc', async () => {
  const first = await returned();
  const bcc = await makeSent(world.context, account, { id: `${first.id.slice(0, 18)}-82aa-aaaaaaaaaaaa` });
  await query('update messages set group_id = $1 where id in ($1, $2)', [first.id, bcc.id]);
  const link = createUnsubscribeUrl(world.context.config);
  const { tenantId } = account;
  for (const { id, rcptTo } of [first, bcc]) {
    const mail = { ...first.mail, unsubscribeUrl: link({ id, tenantId, rcptTo }) };
    expect(await report(complaintsOf(account), jmrpReport(mail, null))).toBe('complaint');
    expect(await events(id)).toMatchObject([{ type: 'complaint', recipient: rcptTo }]);
  }
});

test('reports reach us though inbound mail is off; nobody else at that domain does', async () => {
  const off = await makeAccount(world.context.db);
  await query('update domains set inbound_enabled = false where id = $1', [off.domainId]);
  const sent = await makeSent(world.context, off);
  const client = await connectSmtp(world.port);
  await client.say('EHLO c.test');
  await client.say('MAIL FROM:<>');
  expect(await client.say(`RCPT TO:<bob@${off.domain}>`)).toMatch(/^550 5\.7\.1/);
  expect(await client.say(`RCPT TO:<bob@bounces.${off.domain}>`)).toMatch(/^550 5\.1\.1/);
  expect(await client.say(`RCPT TO:<${sent.returnPath}>`)).toMatch(/^250/);
  client.close();
});

test('complaints about what a domain sent today put its brake on', async () => {
  const { db } = world.context;
  const complaining = await makeAccount(db);
  const sent = await Promise.all(Array.from({ length: 120 }, () => makeSent(world.context, complaining)));
  const messages = await query('select id from messages where tenant_id = $1', [complaining.tenantId]);
  const data = { mx: 'mx.remote.test' };
  await addEvents(
    db.pool,
    complaining,
    messages.map(({ id }) => ({ type: 'delivered', messageId: id, data })),
  );
  const brake = async () =>
    (await query('select brake_state, brake_numbers from domains where id = $1', [complaining.domainId]))[0];
  const to = `complaints@bounces.${complaining.domain}`;
  for (const { returnPath } of sent.slice(0, 5))
    expect(await report(to, arfReport(returnPath, 'abuse'))).toBe('complaint');
  expect(await brake()).toMatchObject({ brake_state: 'off' });
  for (const { returnPath } of sent.slice(5, 8))
    expect(await report(to, arfReport(returnPath, 'abuse'))).toBe('complaint');
  await until(async () => (await brake())!.brake_state !== 'off');
  expect((await brake())!.brake_numbers).toMatchObject({ measure: 'complaints', attempted: 120 });
});
