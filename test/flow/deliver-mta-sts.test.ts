// MTA-STS (RFC 8461) with real mail servers, DNS and policy hosts: what an enforced policy keeps from leaving.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { createMailAuthority, type MailAuthority } from '../harness/mail-authority.ts';
import { startPolicyHost, type PolicyAnswer, type PolicyHost } from '../harness/policy-host.ts';
import type { PeerScript, SmtpPeer } from '../harness/smtp-peer.ts';
import { waitUntil } from '../harness/wait.ts';

let authority: MailAuthority;
let host: PolicyHost;
let world: DeliveryWorld;

// Names of policy hosts that their certificate is good for: all domains here but one.
const DOMAINS = [
  'wrong.test',
  'plain.test',
  'other.test',
  'two.test',
  'kept.test',
  'probe.test',
  'odd.test',
  'names.test',
  'old.test',
];

beforeAll(async () => {
  authority = await createMailAuthority();
  host = await startPolicyHost(await authority.issue(DOMAINS.map((name) => `mta-sts.${name}`)));
  world = await createDeliveryWorld({ TEST_MTA_STS_PORT: String(host.port) });
  await world.open();
});

afterAll(async () => {
  await world.close();
  await host.close();
});

const policy = (mode: string, mx: string) =>
  `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: 604800\r\n`;

function publish(domain: string, answer: PolicyAnswer, id = '20261122'): void {
  world.dns.zone[`_mta-sts.${domain}`] = { txt: [`v=STSv1; id=${id};`] };
  world.dns.zone[`mta-sts.${domain}`] = { a: ['127.0.0.1'] };
  host.answers.set(domain, answer);
}

const startPeer = (domain: string, script: PeerScript): Promise<SmtpPeer> => world.startPeer(domain, script);

const lastAttempt = async (id: string) =>
  (
    await world.rows<{ reply: string }>(
      'select * from message_attempts where message_id = $1 order by attempt desc limit 1',
      [id],
    )
  )[0]!;

const SECRET = 'the-secret-of-this-message';
const SENTINELS = ['MAIL FROM', 'RCPT TO', 'DATA', 'ann@', SECRET];

async function expectNothingSent(peer: SmtpPeer, id: string): Promise<void> {
  await waitUntil(async () => (await world.untilState(id, 'deferred')).attempts >= 2);
  expect(await world.untilState(id, 'deferred')).toMatchObject({ defer_reason: 'tls_policy' });
  for (const sentinel of SENTINELS) expect(peer.clear).not.toContain(sentinel);
  for (const line of peer.commands) expect(line).toMatch(/^(EHLO out\.postrider\.test|STARTTLS|QUIT)$/);
}

describe('an enforced policy', () => {
  test('a wrong certificate: not one octet of the message leaves, until it is repaired', async () => {
    publish('wrong.test', policy('enforce', '*.wrong.test'));
    const peer = await startPeer('wrong.test', { tls: true });
    const id = await world.queue('ann@wrong.test', { text: SECRET, subject: SECRET });
    await expectNothingSent(peer, id);
    expect(await lastAttempt(id)).toMatchObject({
      reply: 'MTA-STS: the certificate of mx.wrong.test is not valid: it is self-signed',
      tls_verified: false,
      tls_policy: 'mta_sts',
      certificate: { subject: 'CN=peer.test', issuer: 'CN=peer.test' },
    });

    peer.script.certificate = await authority.issue(['mx.wrong.test']);
    await world.untilState(id, 'delivered');
    expect(peer.messages).toHaveLength(1);
    expect(await lastAttempt(id)).toMatchObject({
      tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
      tls_verified: true,
      tls_policy: 'mta_sts',
      certificate: { subject: 'CN=mx.wrong.test', issuer: 'CN=Mail Test CA' },
    });
    expect(peer.messages[0]).toMatchObject({ tls: true, rcptTo: 'ann@wrong.test' });
    for (const sentinel of SENTINELS) expect(peer.clear).not.toContain(sentinel);
  });

  test('a certificate for other names, or an old one, is a wrong one', async () => {
    const certificates = {
      'names.test': await authority.issue(['mx.elsewhere.test']),
      'old.test': await authority.issue(['mx.old.test'], true),
    };
    for (const [domain, certificate] of Object.entries(certificates)) {
      publish(domain, policy('enforce', `mx.${domain}`));
      await startPeer(domain, { tls: true, certificate });
      const id = await world.queue(`ann@${domain}`);
      expect(await world.untilState(id, 'deferred')).toMatchObject({ defer_reason: 'tls_policy' });
      expect((await lastAttempt(id)).reply).toMatch(/it is for other names|it has expired/);
    }
  });

  test('a server without STARTTLS gets nothing in clear', async () => {
    publish('plain.test', policy('enforce', 'mx.plain.test'));
    const peer = await startPeer('plain.test', {});
    const id = await world.queue('ann@plain.test', { text: SECRET });
    await expectNothingSent(peer, id);
    peer.script.tls = true;
    peer.script.certificate = await authority.issue(['mx.plain.test']);
    await world.untilState(id, 'delivered');
  });

  test('hosts that it does not name are not even connected to', async () => {
    publish('other.test', policy('enforce', 'mail.other.test'));
    const script = { tls: true, certificate: await authority.issue(['mx.other.test', 'mx.two.test']) };
    const peer = await startPeer('other.test', script);
    const id = await world.queue('ann@other.test');
    expect(await world.untilState(id, 'deferred')).toMatchObject({ defer_reason: 'tls_policy' });
    expect((await lastAttempt(id)).reply).toBe(
      'MTA-STS: the policy of other.test does not allow its MX host mx.other.test',
    );
    expect(peer.connections).toBe(0);

    publish('two.test', policy('enforce', 'mx.two.test'));
    const named = await startPeer('two.test', script);
    world.dns.zone['two.test'] = {
      mx: [
        [1, 'mx.other.test'],
        [10, 'mx.two.test'],
      ],
    };
    await world.untilState(await world.queue('ann@two.test'), 'delivered');
    expect(named.messages).toHaveLength(1);
    expect(peer.connections).toBe(0);
  });

  test('holds while its host and its record are blocked, also for a sender that starts then; a newer one replaces it', async () => {
    publish('kept.test', policy('enforce', 'mx.kept.test'), '1');
    const peer = await startPeer('kept.test', {
      tls: true,
      certificate: await authority.issue(['mx.kept.test']),
      dot: () => ({ reply: '250 2.0.0 ok', drop: true }), // so that the next message has a new handshake
    });
    await world.untilState(await world.queue('ann@kept.test'), 'delivered');
    delete peer.script.certificate;
    delete peer.script.dot;
    publish('kept.test', { status: 503 }, '2');
    const [first] = await Promise.all([world.queue('ann@kept.test', { text: SECRET }), world.open()]);
    expect(await world.untilState(first, 'deferred')).toMatchObject({ defer_reason: 'tls_policy' });
    const asked = () => host.asked.filter((domain) => domain === 'kept.test').length;
    await waitUntil(() => asked() >= 3); // the failed fetch is tried again
    delete world.dns.zone['_mta-sts.kept.test'];
    const second = await world.queue('bob@kept.test', { text: SECRET });
    expect(await world.untilState(second, 'deferred')).toMatchObject({ defer_reason: 'tls_policy' });
    expect(peer.messages).toHaveLength(1);
    expect(peer.clear).not.toContain('MAIL FROM');

    publish('kept.test', policy('none', 'mx.kept.test'), '3');
    await world.untilState(first, 'delivered');
    await world.untilState(second, 'delivered');
    expect(
      await world.rows('select policy_id, mode from mta_sts_policies where domain = $1', ['kept.test']),
    ).toEqual([{ policy_id: '3', mode: 'none' }]);
  });
});

describe('what asks for nothing', () => {
  test('a policy in testing: mail goes, whatever the certificate', async () => {
    publish('probe.test', policy('testing', 'mx.elsewhere.test'));
    const peer = await startPeer('probe.test', { tls: true });
    await world.untilState(await world.queue('ann@probe.test'), 'delivered');
    expect(peer.messages[0]).toMatchObject({ tls: true });
  });

  test.each<[string, PolicyAnswer]>([
    [
      'a redirect',
      { status: 301, location: 'https://elsewhere.test/', body: policy('enforce', 'mx.else.test') },
    ],
    ['another type', { status: 200, type: 'text/html', body: policy('enforce', 'mx.else.test') }],
    ['more than 64 KiB', policy('enforce', 'mx.else.test').padEnd(70_000, '#')],
  ])('a policy file that counts as none: %s', async (_what, answer) => {
    const domain = 'odd.test';
    const asked = () => host.asked.filter((name) => name === domain).length;
    const before = asked();
    publish(domain, answer);
    const peer = world.dns.zone[domain] ? null : await startPeer(domain, {});
    await waitUntil(async () => {
      await world.untilState(await world.queue('ann@odd.test'), 'delivered');
      return asked() > before; // the look-up before is believed for a moment
    });
    if (peer) expect(peer.connections).toBeGreaterThan(0);
    expect(await world.rows('select 1 from mta_sts_policies where domain = $1', [domain])).toEqual([]);
  });

  test('a policy host whose certificate is not its own', async () => {
    publish('stranger.test', policy('enforce', 'mx.else.test'));
    await startPeer('stranger.test', {});
    await world.untilState(await world.queue('ann@stranger.test'), 'delivered');
    expect(host.asked).not.toContain('stranger.test');
  });
});
