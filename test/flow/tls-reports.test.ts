// TLS-RPT (RFC 8460): what deliveries saw of a domain's TLS on one day arrives there as one report, by mail or by HTTPS.

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createDns } from '../../core/clients/dns.ts';
import { createGuardedHttp, type GuardedHttp } from '../../core/clients/guarded-http.ts';
import type { SendBatchRequest } from '../../core/gen/sender/v1/sender.ts';
import type { JobDeps } from '../../scheduler/job.ts';
import { runJobOnce } from '../../scheduler/run-job.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { createMailAuthority, type MailAuthority } from '../harness/mail-authority.ts';
import { waitUntil } from '../harness/wait.ts';

let world: DeliveryWorld;
let authority: MailAuthority;
let http: GuardedHttp;
let receiver: Server;
let config: DeliveryWorld['context']['config'];
const posted: { type: string | undefined; body: Buffer }[] = [];
const mailed: SendBatchRequest[] = [];
let postStatus = 503;

beforeAll(async () => {
  authority = await createMailAuthority();
  receiver = createServer(await authority.issue(['reports.test']), (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      posted.push({ type: request.headers['content-type'], body: Buffer.concat(parts) });
      response.writeHead(postStatus).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  world = await createDeliveryWorld();
  config = { ...world.context.config, OUTBOUND_TLS_REPORT_FROM: `tls@${world.account.domain}` };
  http = createGuardedHttp(config);
  await world.open({ config });
});

afterAll(async () => {
  await world.close();
  await http.close();
  receiver.closeAllConnections();
  receiver.close();
});

const deps = (): JobDeps => ({
  config,
  db: world.context.buckets.home,
  buckets: world.context.buckets,
  sender: { releaseDeferred: async () => ({ released: 0n, deferredAgain: 0n, done: true }) },
  dns: createDns(config),
  reports: {
    http,
    sender: {
      sendBatch: async (request) => {
        mailed.push(request);
        const sent = { id: '', status: 'queued', reason: '', domain: '', recipients: [] };
        return {
          items: [{ outcome: { $case: 'sent', value: sent } }],
          replayed: false,
          refused: undefined,
          quota: undefined,
        } as never;
      },
    },
  },
  log: world.context.log,
});

const counted = (domain: string) =>
  world.rows<{ result: string; sessions: number }>('select * from tls_sessions where domain = $1', [domain]);

async function count(domain: string, results: string[]): Promise<void> {
  await waitUntil(async () => (await counted(domain)).length >= results.length);
  expect((await counted(domain)).map(({ result }) => result).toSorted()).toEqual(results);
}

const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const range = { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` };

test('a policy in testing: what would have failed is reported by mail, in the fields of the RFC', async () => {
  const drop = () => ({ reply: '250 2.0.0 ok', drop: true }); // a session for each message
  const peer = await world.startPeer('sts.test', { tls: true, dot: drop });
  world.dns.zone['_smtp._tls.sts.test'] = { txt: ['v=TLSRPTv1; rua=mailto:reports@sts.test'] };
  await world.rows(
    `insert into mta_sts_policies (domain, policy_id, mode, mx, max_age_seconds, fetched_at, expires_at)
     values ('sts.test', '1', 'testing', '{*.sts.test}', 86400, now(), now() + interval '1 day')`,
  );
  for (const name of ['ann', 'bob'])
    await world.untilState(await world.queue(`${name}@sts.test`), 'delivered');
  peer.script.certificate = await authority.issue(['mx.sts.test']);
  for (const name of ['cat', 'dan', 'eve'])
    await world.untilState(await world.queue(`${name}@sts.test`), 'delivered');
  await waitUntil(async () => (await counted('sts.test')).reduce((sum, row) => sum + row.sessions, 0) === 5);
  await world.rows(`update tls_sessions set day = $1`, [day]);
  expect(await runJobOnce(deps(), 'tls-reports', new Date())).toMatchObject({
    summary: { sent: 1, failed: 0 },
  });

  expect(mailed).toHaveLength(1);
  const { message } = mailed[0]!.messages[0]!;
  const raw = Buffer.from(message!.raw);
  const mail = await simpleParser(raw);
  const us = world.account.domain;
  expect(message!.to).toEqual(['reports@sts.test']);
  expect(mail.subject).toBe(`Report Domain: sts.test Submitter: ${us} Report-ID: <${day}.sts.test@${us}>`);
  expect(raw.toString()).toContain(`TLS-Report-Domain: sts.test\r\nTLS-Report-Submitter: ${us}\r\n`);
  expect(raw.toString()).toContain('multipart/report; report-type="tlsrpt"');
  const [file] = mail.attachments;
  expect(file!.contentType).toBe('application/tlsrpt+gzip');
  expect(file!.filename).toMatch(new RegExp(`^${us}!sts\\.test!\\d+!\\d+\\.json\\.gz$`));
  expect(JSON.parse(gunzipSync(file!.content).toString())).toEqual({
    'organization-name': us,
    'date-range': range,
    'contact-info': `tls@${us}`,
    'report-id': `${day}.sts.test@${us}`,
    policies: [
      {
        policy: {
          'policy-type': 'sts',
          'policy-string': ['version: STSv1', 'mode: testing', 'mx: *.sts.test', 'max_age: 86400'],
          'policy-domain': 'sts.test',
          'mx-host': ['*.sts.test'],
        },
        summary: { 'total-successful-session-count': 3, 'total-failure-session-count': 2 },
        'failure-details': [
          {
            'result-type': 'certificate-not-trusted',
            'sending-mta-ip': '127.0.0.1',
            'receiving-mx-hostname': 'mx.sts.test',
            'receiving-ip': expect.stringMatching(/^127\.0\.0\.\d$/),
            'failed-session-count': 2,
            'failure-reason-code': 'DEPTH_ZERO_SELF_SIGNED_CERT',
          },
        ],
      },
    ],
  });
  expect(await counted('sts.test')).toEqual([]);
});

test('without a policy: one session of many messages, by HTTPS, again until it is accepted; who wants none gets none', async () => {
  const port = (receiver.address() as AddressInfo).port;
  world.dns.zone['reports.test'] = { a: ['127.0.0.1'] };
  world.dns.zone['_smtp._tls.clear.test'] = { txt: [`v=TLSRPTv1; rua=https://reports.test:${port}/tls`] };
  await world.startPeer('clear.test', {});
  await world.startPeer('quiet.test', { tls: true });
  for (const name of ['ann', 'bob', 'cat'])
    await world.untilState(await world.queue(`${name}@clear.test`), 'delivered');
  await world.untilState(await world.queue('ann@quiet.test'), 'delivered');
  await count('clear.test', ['starttls-not-supported']);
  await world.rows(`update tls_sessions set day = $1`, [day]);
  expect(await runJobOnce(deps(), 'tls-reports', new Date())).toMatchObject({
    summary: { sent: 0, failed: 1 },
  });
  postStatus = 201;
  expect(await runJobOnce(deps(), 'tls-reports', new Date())).toMatchObject({
    summary: { sent: 1, failed: 0 },
  });
  const [first, second] = posted;
  expect(first).toEqual(second);
  expect(second!.type).toBe('application/tlsrpt+gzip');
  expect(JSON.parse(gunzipSync(second!.body).toString())).toMatchObject({
    'date-range': range,
    policies: [
      {
        policy: { 'policy-type': 'no-policy-found', 'policy-domain': 'clear.test' },
        summary: { 'total-successful-session-count': 0, 'total-failure-session-count': 1 },
        'failure-details': [
          { 'result-type': 'starttls-not-supported', 'receiving-mx-hostname': 'mx.clear.test' },
        ],
      },
    ],
  });
  expect(await world.rows('select * from tls_sessions')).toEqual([]);
});

test('a report goes out also where the policy that it reports on is not met', async () => {
  const peer = await world.startPeer('broken.test', { tls: true });
  await world.rows(
    `insert into mta_sts_policies (domain, policy_id, mode, mx, max_age_seconds, fetched_at, expires_at)
     values ('broken.test', '1', 'enforce', '{mx.broken.test}', 86400, now(), now() + interval '1 day')`,
  );
  const other = await world.queue('ann@broken.test');
  expect(await world.untilState(other, 'deferred')).toMatchObject({ defer_reason: 'tls_policy' });
  const report = await world.queue('reports@broken.test');
  // As our own reports have it; again until it is not with a sender.
  const header = [report, config.OUTBOUND_TLS_REPORT_FROM];
  await waitUntil(async () => {
    await world.rows('update messages set header_from = $2 where id = $1 and claimed_by is null', header);
    return peer.messages.length > 0;
  });
  await world.untilState(report, 'delivered');
  expect(peer.messages.map(({ rcptTo }) => rcptTo)).toEqual(['reports@broken.test']);
});
