// Aggregate reports come by mail to the addresses of a domain, count once, and are shown over REST and GraphQL.

import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { MAX_REPORTS_PER_DAY, putReport } from '../../core/domain/report-store.ts';
import { deleteOldRows } from '../../core/job/retention-store.ts';
import { readDmarcReport } from '../../core/mail/aggregate/dmarc-report.ts';
import { createUser } from '../../core/people/users.ts';
import { startDnsServer, type DnsListener } from '../../local/simulator/dns-server.ts';
import { Zone } from '../../local/simulator/zone.ts';
import { TESTER } from '../harness/actor.ts';
import { dmarcRecord, dmarcXml, makeZip, reportMail, tlsJson } from '../harness/aggregate-mail.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { openWorld, sendMail, until, type InboundWorld } from '../harness/inbound-world.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
let dns: DnsListener;
let api: ApiWorld;
let world: InboundWorld;
let account: Account;
let key: string;

beforeAll(async () => {
  const zone = new Zone();
  const der = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  await zone.add([
    { type: 'TXT', name: 's1._domainkey.receiver.test', value: `v=DKIM1; k=rsa; p=${der}` },
    { type: 'TXT', name: '_dmarc.receiver.test', value: 'v=DMARC1; p=reject' },
  ]);
  dns = await startDnsServer(zone, 0);
  api = await createApiWorld({ DNS_SERVERS: `127.0.0.1:${dns.port}` });
  world = await openWorld({}, api.context);
  account = await makeAccount(api.context.db);
  ({ key } = await api.makeKey({ tenantId: account.tenantId, scopes: ['domains:read'] }));
});
afterAll(async () => {
  await world.close();
  await api.close();
  await dns.stop();
});

const pathOf = (of: Account) => `/mail/domains/${toId('dom', of.domainId)}/reports`;
const reports = async (query = '', of = account, who = key) =>
  (await api.call('GET', `${pathOf(of)}${query}`, { key: who })).json.data.items;
const addressOf = (of: Account, mailbox = 'dmarc') => `${mailbox}@bounces.${of.domain}`;

/** Sends mail and waits until it was read; returns what became of it, by recipient. */
async function deliver(to: string | string[], data: string | Buffer): Promise<string[]> {
  const reply = await sendMail(world.port, { to, data });
  expect(reply).toMatch(/^250/);
  const rawId = /as (\S+)$/.exec(reply)![1];
  return until(async () => {
    const { rows } = await api.context.db.pool.query(
      `select m.outcome from inbound_messages m join inbound_raws r on r.id = m.raw_id
       where r.id = $1 and r.work_due_at is null order by m.recipient`,
      [rawId],
    );
    return rows.length > 0 ? rows.map(({ outcome }) => outcome) : null;
  });
}

async function signed(file: Buffer): Promise<Buffer> {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    dkim: { domainName: 'receiver.test', keySelector: 's1', privateKey: pem },
  });
  const { message } = await transport.sendMail({
    from: 'dmarc@receiver.test',
    to: addressOf(account),
    subject: 'Report',
    attachments: [{ filename: 'x', content: file }],
  });
  return message as Buffer;
}

test('a DMARC report in a zip is stored once, forged first and then as its sender signed it', async () => {
  const { domain } = account;
  const records =
    dmarcRecord(domain) +
    dmarcRecord(domain, {
      ip: '203.0.113.9',
      count: '4',
      dkim: 'fail',
      disposition: 'quarantine',
      auth: '<spf><domain>other.example</domain><result>pass</result></spf>',
    });
  const forged = makeZip([Buffer.from(dmarcXml(domain, { records: dmarcRecord(domain, { count: '900' }) }))]);
  expect(await deliver(addressOf(account), reportMail('dmarc@receiver.test', forged))).toEqual([
    'dmarc report',
  ]);
  expect(await reports()).toMatchObject([{ authenticated: false, total: 900 }]);

  const real = makeZip([Buffer.from(dmarcXml(domain, { records }))]);
  expect(await deliver(addressOf(account), await signed(real))).toEqual(['dmarc report']);
  for (const again of [await signed(real), reportMail('dmarc@receiver.test', forged)])
    expect(await deliver(addressOf(account), again)).toEqual(['known already']);
  expect(await reports('?type=dmarc')).toEqual([
    {
      type: 'dmarc',
      reporter: 'receiver.test',
      report_id: 'r1',
      sender: 'receiver.test',
      authenticated: true,
      from: expect.stringMatching(/T00:00:00.000Z$/),
      to: expect.stringMatching(/T23:59:59.000Z$/),
      total: 7,
      passed: 3,
      failed: 4,
      sources: [
        {
          source: '203.0.113.9',
          count: 4,
          result: 'fail',
          dkim: 'fail',
          spf: 'fail',
          disposition: 'quarantine',
          header_from: domain,
          auth: 'spf=pass (other.example)',
          reason: null,
          receiving_mx: null,
        },
        expect.objectContaining({ source: '192.0.2.1', count: 3, auth: `dkim=pass (${domain})` }),
      ],
      received_at: expect.any(String),
    },
  ]);
});

test('a TLS report in gzip, at either address, as we send it too', async () => {
  const mail = `Feedback-ID: a:b:c:postrider\r\n${reportMail('tls@receiver.test', gzipSync(tlsJson(account.domain)))}`;
  expect(await deliver(addressOf(account, 'TLSRPT'), mail)).toEqual(['tls report']);
  expect(await deliver(addressOf(account), mail)).toEqual(['known already']);
  expect(await reports('?type=tls')).toMatchObject([
    {
      type: 'tls',
      total: 40,
      passed: 38,
      failed: 2,
      sources: [
        {
          result: 'certificate-expired',
          count: 2,
          source: '192.0.2.7',
          receiving_mx: `mx.${account.domain}`,
        },
      ],
    },
  ]);
});

test('a report about another domain is kept out, also one of the same tenant', async () => {
  const other = await makeAccount(api.context.db);
  const mail = reportMail('dmarc@receiver.test', Buffer.from(dmarcXml(other.domain, { id: 'elsewhere' })));
  const before = await reports();
  expect(await deliver(addressOf(account), mail)).toEqual([`other: about ${other.domain}`]);
  expect(await reports()).toEqual(before);
  const strangers = await api.makeKey({ tenantId: other.tenantId, scopes: ['domains:read'] });
  expect(await reports('', other, strangers.key)).toEqual([]);
  expect((await api.call('GET', pathOf(account), { key: strangers.key })).status).toBe(404);
});

test('what is hostile is noted, in a parser process, and other mail goes on', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  const hostile: [Buffer, string][] = [
    [bomb, 'no report: it is too large when unpacked'],
    [Buffer.from(`<!DOCTYPE a [<!ENTITY b "c">]>${dmarcXml(account.domain)}`), 'no report: it has a DTD'],
    [Buffer.from(`<feedback>${'<a>'.repeat(1_000_000)}`), 'no report: its XML is nested too deeply'],
    [Buffer.from(`{${'"a":{'.repeat(500_000)}`), 'no report: its JSON is broken'],
    [Buffer.from('hello'), 'no report: it holds no report'],
  ];
  for (const [file, outcome] of hostile)
    expect(await deliver(addressOf(account), reportMail('x@y.test', file))).toEqual([outcome]);
  const many = Array.from(
    { length: 100_000 },
    (_, i) => `<record><row><source_ip>10.0.${i >> 8}.${i & 255}</source_ip><count>1</count></row></record>`,
  );
  const mail = reportMail(
    'x@y.test',
    gzipSync(dmarcXml(account.domain, { id: 'many', records: many.join('') })),
  );
  expect(await deliver(addressOf(account), mail)).toEqual(['dmarc report']);
  const [report] = await reports();
  expect([report.total, report.sources.length]).toEqual([100_000, 100]);
});

test('since and pages; the same over GraphQL, with sums by day and source', async () => {
  const own = await makeAccount(api.context.db);
  const ownKey = (await api.makeKey({ tenantId: own.tenantId, scopes: ['domains:read'] })).key;
  const { domain } = own;
  const old = dmarcXml(domain, { id: 'old', begin: 1_600_000_000 });
  for (const xml of [old, dmarcXml(domain, { id: 'a' }), dmarcXml(domain, { id: 'b' })])
    await deliver(addressOf(own), reportMail('dmarc@receiver.test', Buffer.from(xml)));
  await deliver(addressOf(own), reportMail('dmarc@receiver.test', Buffer.from(tlsJson(domain))));
  const since = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const ids = (items: { report_id: string }[]) => items.map((one) => one.report_id);
  expect(ids(await reports('', own, ownKey))).toEqual(['t1', 'b', 'a', 'old']);
  expect(ids(await reports(`?type=dmarc&since=${since}`, own, ownKey))).toEqual(['b', 'a']);
  const first = (await api.call('GET', `${pathOf(own)}?limit=3`, { key: ownKey })).json.data;
  expect(ids(first.items)).toEqual(['t1', 'b', 'a']);
  expect(ids(await reports(`?limit=3&after=${first.next_cursor}`, own, ownKey))).toEqual(['old']);
  for (const query of ['?type=arf', '?since=yesterday', '?days=3'])
    expect((await api.call('GET', `${pathOf(own)}${query}`, { key: ownKey })).status).toBe(422);

  const person = { email: `p${newUuid()}@example.com`, tenantId: own.tenantId, role: 'owner' as const };
  const { password } = await createUser(api.context, TESTER, person);
  const login = await api.graphql('mutation ($input: LoginInput!) { login(input: $input) { accessToken } }', {
    input: { email: person.email, password },
  });
  const { json } = await api.graphql(
    `query ($id: ID!, $since: DateTime) { domain(id: $id) {
       dmarcAddress
       reports(type: dmarc, since: $since, first: 1) { edges { node { reportId sources { source headerFrom } } } pageInfo { hasNextPage } }
       dmarc: reportSummary(type: dmarc) { reports authenticated total passed failed days { passed failed } sources { source count result } }
       tls: reportSummary(type: tls, days: 120) { reports total failed sources { source result count receivingMx } }
     } }`,
    { id: toId('dom', own.domainId), since },
    { key: login.json.data.login.accessToken },
  );
  expect(json.errors).toBeUndefined();
  expect(json.data?.domain).toEqual({
    dmarcAddress: addressOf(own),
    reports: {
      edges: [{ node: { reportId: 'b', sources: [{ source: '192.0.2.1', headerFrom: domain }] } }],
      pageInfo: { hasNextPage: true },
    },
    dmarc: {
      reports: 2,
      authenticated: 0,
      total: 6,
      passed: 6,
      failed: 0,
      days: Array.from({ length: 31 }, (_, i) => ({ passed: i === 29 ? 6 : 0, failed: 0 })),
      sources: [{ source: '192.0.2.1', count: 6, result: 'pass' }],
    },
    tls: {
      reports: 1,
      total: 40,
      failed: 2,
      sources: [{ source: null, result: 'certificate-expired', count: 2, receivingMx: `mx.${domain}` }],
    },
  });
});

test('a flood of forged reports ends for the day, and leaves what is authenticated its place', async () => {
  const own = await makeAccount(api.context.db);
  const { tenantId, domainId, domain } = own;
  const { pool } = api.context.db;
  const report = readDmarcReport(dmarcXml(domain), Date.now());
  const put = (reportId: string, authenticated: boolean) =>
    putReport(pool, {
      ...{ id: newUuid(), tenantId, domainId, sender: 'y.test', authenticated },
      report: { ...report, reportId },
    });
  for (let i = 0; i < MAX_REPORTS_PER_DAY; i += 100)
    await Promise.all(Array.from({ length: 100 }, (_, at) => put(`f${i + at}`, false)));
  expect(await put('one more', false)).toBe('too_many');
  expect(await put('real', true)).toBe('stored');
  expect(await put('real', true)).toBe('known');

  await pool.query(
    "update domain_reports set received_at = now() - interval '121 days' where report_id = 'f0'",
  );
  expect(await deleteOldRows(pool, new Date(), 'bucket')).toMatchObject({ domain_reports: 1 });
});
