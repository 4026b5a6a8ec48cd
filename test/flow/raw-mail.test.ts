// Ready-made mail over REST, GraphQL and gRPC: what its author wrote arrives octet for octet, signed, with a message for
// each recipient; it can be read afterwards, and is tracked only where that was asked for.

import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { deriveKeys } from '../../core/base/secrets.ts';
import { openSender } from '../../core/clients/sender.ts';
import { dkimRecordValue, makeDkimKeys } from '../../core/domain/dkim-key.ts';
import { insertKeys } from '../../core/domain/dkim-store.ts';
import { createKey } from '../../core/key/keys.ts';
import { parseRawInput } from '../../core/message/raw-input.ts';
import { submitMessage } from '../../core/message/submit-message.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { call } from '../harness/api-world.ts';
import { askDkimpy, dkimpyMissing } from '../harness/dkimpy.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';
import { startSmtpPeer, type PeerMessage, type SmtpPeer } from '../harness/smtp-peer.ts';
import { shareStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

let stack: Stack;
let account: Account;
let key: string;
let dkimRecord: Record<string, string>;
let old: SmtpPeer;

beforeAll(async () => {
  stack = await shareStack();
  old = await startSmtpPeer({ extensions: ['PIPELINING'] }, '127.0.0.9', stack.sink.port);
  stack.dns.zone['old.test'] = { mx: [[10, 'mx.old.test']] };
  stack.dns.zone['mx.old.test'] = { a: ['127.0.0.9'] };
  account = await makeAccount(stack.context.db, { tier: 3 });
  const [sealKey] = deriveKeys(stack.context.config, 'secret-box');
  const [signing] = await makeDkimKeys({ tenantId: account.tenantId, ed25519: false, sealKey });
  await insertKeys(stack.context.db.pool, account, 'active', [signing!]);
  dkimRecord = { [`${signing!.selector}._domainkey.${account.domain}`]: dkimRecordValue(signing!) };
  const scopes = ['transactional:send', 'transactional:read'];
  const { tenantId } = account;
  key = (await createKey(stack.context, TESTER, { tenantId, name: 'raw', scopes })).value;
});
afterAll(async () => {
  await stack?.close();
  await old?.close();
});

const ask = (method: string, path: string, body?: unknown) =>
  call(Number(stack.api!.env['API_HTTPS_PORT']), method, `/api/v1${path}`, { key, body });
const crlf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));
const THEIRS = 'DKIM-Signature: v=1; d=other.example; b=x';
const SIZE_OF_OUR_FIELDS = 8 * 1024; // the server takes 25 MiB in all
const HTML = '<p><a href="https://shop.example/">Größe</a></p>';
const author = (more = '', body = 'Hello.\n') =>
  crlf(
    `From: "Shop, the" <shop@${account.domain}>\nTo: Ann <ann@sink.test>, everybody: a@b.example;\n${more}\n${body}`,
  );

async function send(raw: Buffer, more: object = {}) {
  const sent = await ask('POST', '/transactional/send', {
    to: 'ann@sink.test',
    raw: raw.toString('base64'),
    ...more,
  });
  expect(sent.status, JSON.stringify(sent.json)).toBe(202);
  return sent.json.data;
}

async function received(to: string, from = stack.sink): Promise<PeerMessage> {
  let found: PeerMessage | undefined;
  await waitUntil(() => (found = from.messages.find(({ rcptTo }) => rcptTo === to)) !== undefined);
  return found!;
}

const split = (raw: Buffer) => {
  const end = raw.indexOf('\r\n\r\n');
  return { header: raw.toString('utf8', 0, end + 2), body: raw.subarray(end + 4) };
};

test.skipIf(skips(dkimpyMissing()))(
  'leaves as it was written, with our fields and a signature on top',
  async () => {
    const fields =
      'Received: from a by b;\n\tThu, 15 Jan 2026 12:00:00 +0000\nSubject:  =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n' +
      `${THEIRS}\n` +
      'X-Odd:a\n  b\nreply-to: <r@sink.test>\nMIME-Version: 1.0\n' +
      'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n';
    const hidden = 'Bcc: Cy <cy@sink.test>,\n eve@sink.test\nReturn-Path: <x@y>\nX-Postrider-Tags: []\n';
    const body = `${HTML}  \n.\n..\n \nFrom here\n\n\nthe end`;
    const raw = author(`${hidden}${fields}${hidden}`, body);
    const sent = await send(raw, {
      to: ['ann@sink.test', 'ben@sink.test'],
      bcc: ['cy@sink.test'],
      tags: [{ name: 'a', value: 'b' }],
    });
    expect(sent.recipients.map(({ status }: { status: string }) => status)).toEqual([
      'queued',
      'queued',
      'queued',
    ]);

    for (const to of ['ann@sink.test', 'ben@sink.test', 'cy@sink.test']) {
      const got = split((await received(to)).raw);
      expect(got.body.equals(Buffer.concat([crlf(body), Buffer.from('\r\n')]))).toBe(true);
      const kept = split(author(fields)).header;
      expect(got.header.endsWith(kept), got.header).toBe(true);
      const ours = got.header.slice(0, -kept.length).match(/^[\w-]+(?=:)/gm);
      expect(ours).toEqual(['DKIM-Signature', 'Message-ID', 'Date', 'Feedback-ID']);
    }
    const copies = stack.sink.messages.filter(({ rcptTo }) => /^(?:ann|ben|cy)@/.test(rcptTo));
    expect(new Set(copies.map(({ mailFrom }) => mailFrom)).size).toBe(3);
    expect(stack.sink.commands.filter((line) => line.includes('BODY=8BITMIME'))).toHaveLength(3);
    // dkimpy throws at a signature of which nothing is right.
    const signed = Buffer.from(copies[0]!.raw.toString('latin1').replace(`${THEIRS}\r\n`, ''), 'latin1');
    const verdicts = await askDkimpy([signed], dkimRecord);
    expect(verdicts[0]!.map(({ ok }) => ok)).toEqual([true]);
    const covered = [
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'content-type',
      'reply-to',
      'feedback-id',
    ];
    expect(verdicts[0]![0]!.signed).toEqual(expect.arrayContaining(covered));

    const { rows } = await stack.context.db.pool.query(
      'select octet_length(content) as n from message_contents where message_id = any(select id from messages where tenant_id = $1)',
      [account.tenantId],
    );
    expect(rows).toHaveLength(1);
    const read = (await ask('GET', `/transactional/${sent.id}`)).json.data;
    expect(read).toMatchObject({
      from: `"Shop, the" <shop@${account.domain}>`,
      subject: 'Grüße',
      tags: [{ name: 'a' }],
    });
    expect(read).toMatchObject({ header_to: ['ann@sink.test', 'ben@sink.test'], bcc: ['cy@sink.test'] });
  },
);

test('verdicts, resent fields and Feedback-ID stay here; Sender leaves at a verified domain of the tenant only', async () => {
  const own = await makeAccount(stack.context.db, { tenantId: account.tenantId });
  const pending = await makeAccount(stack.context.db, { tenantId: account.tenantId });
  const foreign = await makeAccount(stack.context.db);
  await stack.context.db.pool.query(`update domains set status = 'pending' where id = $1`, [
    pending.domainId,
  ]);
  const forged =
    'Authentication-Results: mx.sink.test; dmarc=pass\nARC-Seal: i=1; cv=none\nFeedback-ID: a:b:c:other\n' +
    'Resent-From: eve@evil.example\nResent-Date: Thu, 15 Jan 2026 12:00:00 +0000\n';
  const sendAs = async (to: string, domain: string) => {
    await send(author(`Sender: Desk <desk@${domain}>\n${forged}X-Kept: yes\n`), { to });
    return split((await received(to)).raw).header;
  };
  const kept = await sendAs('sender-own@sink.test', own.domain);
  expect(kept).toContain(`\r\nSender: Desk <desk@${own.domain}>\r\nX-Kept: yes\r\n`);
  expect(kept).toMatch(/^Feedback-ID: :tnt_\w+:transactional:postrider\r$/m);
  expect(kept).not.toMatch(/^(?:Authentication-Results|ARC-|Resent-|Feedback-ID: a)/im);
  for (const { domain } of [pending, foreign])
    expect(await sendAs(`sender-${domain.slice(0, 5)}@sink.test`, domain)).not.toMatch(/^Sender:/im);

  const composed = (to: string, domain: string) =>
    ask('POST', '/transactional/send', {
      ...{ from: `shop@${account.domain}`, to, subject: 'x', text: 'x' },
      headers: { Sender: `Desk <desk@${domain}>` },
    });
  expect((await composed('sender-json@sink.test', own.domain)).status).toBe(202);
  expect((await received('sender-json@sink.test')).raw.toString()).toContain(
    `\r\nSender: Desk <desk@${own.domain}>\r\n`,
  );
  for (const { domain } of [pending, foreign]) {
    const { status, json } = await composed('nobody@sink.test', domain);
    expect([status, json.details]).toEqual([
      422,
      [{ path: 'headers', message: 'header Sender must be at a verified domain of yours' }],
    ]);
  }
});

test('a key for one domain names no other domain as the sender', async () => {
  const own = await makeAccount(stack.context.db, { tenantId: account.tenantId });
  const limits = { name: 'one domain', scopes: ['transactional:send'], domain: account.domain };
  const limited = await createKey(stack.context, TESTER, { tenantId: account.tenantId, ...limits });
  const raw = author(`Sender: desk@${own.domain}\n`).toString('base64');
  const sent = await call(Number(stack.api!.env['API_HTTPS_PORT']), 'POST', '/api/v1/transactional/send', {
    key: limited.value,
    body: { to: 'one-domain@sink.test', raw },
  });
  expect(sent.status, JSON.stringify(sent.json)).toBe(202);
  expect((await received('one-domain@sink.test')).raw.toString()).not.toMatch(/^Sender:/im);
});

test('keeps its own Message-ID and Date, and shows its parts afterwards', async () => {
  const raw = author(
    'Message-ID: <my@own>\nDate: Thu, 15 Jan 2026 12:00:00 +0000\nSubject: Parts\n' +
      'Content-Type: multipart/mixed; boundary=x\n',
    `--x\nContent-Type: text/html\n\n${HTML}\n--x\nContent-Type: application/pdf; name=a.pdf\n` +
      'Content-Transfer-Encoding: base64\n\nMTIzNDU=\n--x--\n',
  );
  const { id } = await send(raw, { to: 'parts@sink.test' });
  const got = await received('parts@sink.test');
  expect(got.raw.toString().match(/^(?:Message-ID|Date):.*$/gim)).toEqual([
    'Message-ID: <my@own>',
    'Date: Thu, 15 Jan 2026 12:00:00 +0000',
  ]);
  expect(got.raw.toString()).toContain(HTML);
  const content = (await ask('GET', `/transactional/${id}/content`)).json.data;
  expect(content).toMatchObject({
    subject: 'Parts',
    html: HTML,
    text: null,
    attachments: [{ filename: 'a.pdf', content_type: 'application/pdf', size_bytes: 5 }],
  });
  expect(content.headers).toContainEqual({ name: 'Message-ID', value: '<my@own>' });
});

test.skipIf(skips(dkimpyMissing()))(
  'is tracked and can be left where that was asked for, and nothing else changes',
  async () => {
    const body = (html: string) =>
      `--x\nContent-Type: text/plain\n\nSee https://shop.example/\n--x\n${html}\n--x--\n`;
    const fields = 'Content-Type: multipart/alternative; boundary=x\n';
    const html = `Content-Type: text/html; charset=utf-8\n\n${HTML}`;
    await send(author(fields, body(html)), {
      to: 'track@sink.test',
      track_opens: true,
      track_clicks: true,
      unsubscribe: true,
    });
    const { raw } = await received('track@sink.test');
    const got = split(raw);
    expect(got.header).toMatch(/^List-Unsubscribe: <https?:[^>]+\/u\/[\w-]+>/m);
    const text = got.body.toString();
    const [, changed = ''] = text.split('--x\r\nContent-Type: text/html; charset=utf-8\r\n');
    expect(
      text.startsWith('--x\r\nContent-Type: text/plain\r\n\r\nSee https://shop.example/\r\n--x\r\n'),
    ).toBe(true);
    expect(changed).toMatch(/^Content-Transfer-Encoding: quoted-printable\r\n\r\n/);
    const decoded = changed.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(decoded).toMatch(
      /href="https?:\/\/[^"]+\/t\/c\/[\w-]+">Gr=C3=B6=C3=9Fe<.*<img src="https?:[^"]+\/t\/o\//,
    );
    expect((await askDkimpy([raw], dkimRecord))[0]!.map(({ ok }) => ok)).toEqual([true]);
  },
);

test('a server without 8BITMIME gets mail in 7 bits, signed anew; what cannot be converted bounces, and suppresses nobody', async () => {
  const sent = [
    await send(author('Subject: Plain\n'), { to: 'plain@old.test' }),
    await send(author('Subject: x\nContent-Transfer-Encoding: 8bit\n', 'The size (Größe)\n'), {
      to: 'eight@old.test',
    }),
    await send(author('Content-Type: multipart/signed; boundary=b\n', '--b\n\nGröße\n--b--\n'), {
      to: 'signed@old.test',
    }),
    await send(author('Subject: Größe\n'), { to: 'utf8@old.test' }),
    await send(author('Subject: Größe\n'), { to: 'utf8@sink.test' }),
  ];
  const read = () =>
    Promise.all(sent.map(async ({ id }) => (await ask('GET', `/transactional/${id}`)).json.data));
  await waitUntil(async () => (await read()).every(({ status }) => /^(?:delivered|bounced)$/.test(status)));
  const after = await read();
  expect(after.map(({ status }) => status)).toEqual([
    'delivered',
    'delivered',
    'bounced',
    'bounced',
    'delivered',
  ]);
  const [, , signed, utf8] = after.map(({ attempts }) => attempts[0].enhanced_code);
  expect([signed, utf8]).toEqual(['5.6.3', '5.6.7']);
  const { raw } = await received('eight@old.test', old);
  expect(raw.toString()).toMatch(
    /\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe size \(Gr=C3=B6=C3=9Fe\)\r\n/,
  );
  const { results } = await dkimVerify(raw, {
    resolver: async (name: string) => [[dkimRecord[name] ?? '']],
  });
  expect(results.map(({ status }) => status.result)).toEqual(['pass']);
  expect(stack.sink.commands.filter((line) => /^MAIL FROM:.* SMTPUTF8/.test(line))).toHaveLength(1);
  const { rows } = await stack.context.db.pool.query('select from suppressions where tenant_id = $1', [
    account.tenantId,
  ]);
  expect(rows).toEqual([]);
});

test('GraphQL and batches take it, and say what is wrong under the same name', async () => {
  const raw = author('Subject: Twice\n').toString('base64');
  const items = [
    { to: 'batch@sink.test', raw },
    { to: 'x@sink.test', raw, html: 'x' },
    { to: 'x@sink.test', raw: 'Cg==' },
  ];
  const batch = (await ask('POST', '/transactional/batch', { messages: items })).json.data.items;
  expect(
    batch.map(({ status, details }: { status?: string; details?: unknown }) => status ?? details),
  ).toEqual([
    'queued',
    [{ path: 'html', message: 'cannot be combined with raw' }],
    [{ path: 'raw', message: expect.stringContaining('bare LF') }],
  ]);
  const person = { email: `ann-${newUuid()}@example.net`, password: 'correct horse battery' };
  await createUser(stack.context, TESTER, { ...person, tenantId: account.tenantId, role: 'owner' });
  const port = Number(stack.api!.env['API_HTTPS_PORT']);
  const graphql = (query: string, input: object, token?: string) =>
    call(port, 'POST', '/graphql', { body: { query, variables: { input } }, ...(token && { key: token }) });
  const login = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
  const token = (await graphql(login, person)).json.data.login.accessToken;
  const mutation = 'mutation($input: SendMessageInput!) { sendMessage(input: $input) { status } }';
  const sent = await graphql(mutation, { to: ['graphql@sink.test'], raw }, token);
  expect(sent.json.data.sendMessage).toEqual({ status: 'queued' });
  for (const to of ['batch@sink.test', 'graphql@sink.test'])
    expect(split((await received(to)).raw).body.toString()).toBe('Hello.\r\n');
});

test('Nearly 25 MiB pass through gRPC to a server and back, and the same call again is the same message', async () => {
  const { config, log } = stack.context;
  const sender = openSender({ ...config, SENDER_ADDRESSES: stack.senderAddresses() }, log);
  const head = author('Subject: Large\nDate: Thu, 15 Jan 2026 12:00:00 +0000\n', '');
  const line = Buffer.from(`${'x'.repeat(76)}\r\n`);
  const body = Buffer.concat(
    Array(Math.floor((25 * 1024 * 1024 - SIZE_OF_OUR_FIELDS) / line.length)).fill(line),
  );
  const parsed = parseRawInput(Buffer.concat([head, body]), ['large@sink.test'], {}, new Date());
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.details));
  const idempotency = { key: newUuid(), bodyHash: Buffer.alloc(32, 1) };
  const submit = { tenantId: account.tenantId, onlyDomain: null, input: parsed.input, idempotency };
  const first = await submitMessage(sender, submit);
  expect(split((await received('large@sink.test')).raw).body.equals(body)).toBe(true);
  const again = await submitMessage(sender, submit);
  sender.close();
  if (!first.ok || !again.ok) throw new Error(JSON.stringify([first, again]));
  expect([again.id, again.replayed]).toEqual([first.id, true]);
  const source = await ask('GET', `/transactional/${toId('msg', first.id)}/raw`);
  expect(source.status).toBe(200);
});
