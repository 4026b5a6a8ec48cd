// DANE (RFC 7672) with real mail servers and a DNS server that says which answers it validated.

import { createHash, X509Certificate } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SELF_SIGNED } from '../harness/certificate.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { createMailAuthority, type MailAuthority } from '../harness/mail-authority.ts';
import type { PeerScript, SmtpPeer } from '../harness/smtp-peer.ts';

let world: DeliveryWorld;
let authority: MailAuthority;

beforeAll(async () => {
  authority = await createMailAuthority(false);
  world = await createDeliveryWorld({ OUTBOUND_DANE: 'true' });
  await world.open();
});

afterAll(() => world.close());

// Whole certificate (0) or its key (1), by SHA-256.
function tlsa(usage: number, selector: 0 | 1, pem: string): Buffer {
  const certificate = new X509Certificate(pem);
  const selected =
    selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' });
  return Buffer.concat([Buffer.from([usage, selector, 1]), createHash('sha256').update(selected).digest()]);
}

async function startPeer(
  domain: string,
  script: PeerScript,
  records: Buffer[],
  where = world,
): Promise<SmtpPeer> {
  const peer = await where.startPeer(domain, script);
  const { zone } = where.dns;
  zone[domain]!.secure = true;
  zone[`mx.${domain}`]!.secure = true;
  zone[tlsaName(domain, where)] = { tlsa: records, secure: true };
  return peer;
}

const tlsaName = (domain: string, where = world) =>
  `_${where.context.config.OUTBOUND_SMTP_PORT}._tcp.mx.${domain}`;

const lastAttempt = async (id: string, where = world) =>
  (
    await where.rows<{ reply: string; tls_verified: boolean; tls_policy: string }>(
      'select * from message_attempts where message_id = $1 order by attempt desc limit 1',
      [id],
    )
  )[0]!;

async function expectHeld(peer: SmtpPeer, id: string, why: RegExp): Promise<void> {
  expect(await world.untilState(id, 'deferred')).toMatchObject({ defer_reason: 'tls_policy' });
  expect((await lastAttempt(id)).reply).toMatch(why);
  expect(peer.clear).not.toContain('MAIL');
  for (const line of peer.commands) expect(line).toMatch(/^(EHLO out\.postrider\.test|STARTTLS|QUIT)$/);
}

describe('DANE-EE', () => {
  test('a self-signed certificate that matches is proof; one that does not gets nothing until it does', async () => {
    const other = await authority.issue(['mx.ee.test']);
    const peer = await startPeer('ee.test', { tls: true }, [tlsa(3, 1, other.cert), tlsa(3, 0, other.cert)]);
    const id = await world.queue('ann@ee.test');
    await expectHeld(peer, id, /^DANE: the certificate of mx\.ee\.test matches none of its TLSA records$/);
    expect(await lastAttempt(id)).toMatchObject({ tls_verified: false, tls_policy: 'dane' });
    world.dns.zone[tlsaName('ee.test')] = { tlsa: [tlsa(3, 1, SELF_SIGNED.cert)], secure: true };
    await world.untilState(id, 'delivered');
    expect(await lastAttempt(id)).toMatchObject({ tls_verified: true, tls_policy: 'dane' });
    expect(peer.clear).not.toContain('MAIL');
  });

  test('counts before MTA-STS', async () => {
    await world.rows(
      `insert into mta_sts_policies (domain, policy_id, mode, mx, max_age_seconds, fetched_at, expires_at)
       values ('both.test', '1', 'enforce', '{elsewhere.test}', 86400, now(), now() + interval '1 day')`,
    );
    await startPeer('both.test', { tls: true }, [tlsa(3, 1, SELF_SIGNED.cert)]);
    const id = await world.queue('ann@both.test');
    await world.untilState(id, 'delivered');
    expect(await lastAttempt(id)).toMatchObject({ tls_policy: 'dane' });
  });
});

describe('DANE-TA', () => {
  test('the authority of a record proves chain and name, though nobody else trusts it', async () => {
    const good = await authority.issue(['mx.ta.test']);
    const bad = await authority.issue(['mx.elsewhere.test']);
    const chain = (leaf: { key: string; cert: string }) => ({ ...leaf, cert: leaf.cert + authority.cert });
    const peer = await startPeer('ta.test', { tls: true, certificate: chain(bad) }, [
      tlsa(2, 0, authority.cert),
    ]);
    const id = await world.queue('ann@ta.test');
    await expectHeld(peer, id, /^DANE: the certificate of mx\.ta\.test is not valid: it is for other names$/);
    peer.script.certificate = chain(good);
    await world.untilState(id, 'delivered');
    expect(await lastAttempt(id)).toMatchObject({ tls_verified: true, tls_policy: 'dane' });
  });
});

describe('what records ask for', () => {
  test('TLS, also when none of them is usable', async () => {
    const peer = await startPeer('pkix.test', {}, [tlsa(1, 1, SELF_SIGNED.cert), Buffer.from([3, 1, 1, 7])]);
    const id = await world.queue('ann@pkix.test');
    await expectHeld(peer, id, /STARTTLS/);
    peer.script.tls = true;
    await world.untilState(id, 'delivered');
    expect(await lastAttempt(id)).toMatchObject({ tls_verified: false, tls_policy: 'dane' });
  });

  test('nothing is sent while they cannot be looked up', async () => {
    const peer = await startPeer('servfail.test', { tls: true }, []);
    world.dns.zone[tlsaName('servfail.test')] = { fail: true };
    const id = await world.queue('ann@servfail.test');
    await expectHeld(
      peer,
      id,
      /^DANE: the TLSA records of mx\.servfail\.test cannot be looked up: DNS: rcode 2/,
    );
    expect(peer.connections).toBe(0);
  });

  test.each(['insecure.test', 'mx.insecure-host.test', 'record'])(
    'nothing without the proof of DNSSEC: %s',
    async (what) => {
      const domain = what === 'record' ? 'insecure-tlsa.test' : what.replace(/^mx\./, '');
      await startPeer(domain, {}, [tlsa(3, 1, SELF_SIGNED.cert)]);
      world.dns.zone[what === 'record' ? tlsaName(domain) : what]!.secure = false;
      const id = await world.queue(`ann@${domain}`);
      await world.untilState(id, 'delivered');
      expect(await lastAttempt(id)).toMatchObject({ tls_policy: null });
    },
  );
});

test('without the setting the AD bit is not believed, and TLSA is not asked for', async () => {
  const trusting = world.dns.questions.filter((question) => question.startsWith('TLSA')).length;
  const plain = await createDeliveryWorld();
  try {
    await plain.open();
    await startPeer('off.test', {}, [tlsa(3, 1, SELF_SIGNED.cert)], plain);
    const id = await plain.queue('ann@off.test');
    await plain.untilState(id, 'delivered');
    expect(await lastAttempt(id, plain)).toMatchObject({ tls_policy: null });
    expect(plain.dns.questions.filter((question) => question.startsWith('TLSA'))).toEqual([]);
    expect(trusting).toBeGreaterThan(0);
  } finally {
    await plain.close();
  }
});
