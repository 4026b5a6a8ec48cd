// What real Postfix says at the edges of SMTP, and what becomes of the message: a slow answer to the final dot, 521 and
// the line cut, a refused message on a connection that is used again, a refusal in the greeting, TLS.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { skips } from '../harness/needs.ts';
import {
  postfixMissing,
  startPolicyService,
  startPostfix,
  type PolicyService,
  type Postfix,
} from '../harness/postfix.ts';
import { waitUntil } from '../harness/wait.ts';

const SCAN_MS = 5_000;
const PLAIN = '127.0.0.21';
const POLICY = '127.0.0.22';
const CLOSED = '127.0.0.23';
const MX: Record<string, string[]> = {
  'plain.test': [PLAIN],
  'policy.test': [POLICY],
  'blocked.test': [CLOSED],
  'backup.test': [CLOSED, PLAIN],
};

describe.skipIf(skips(postfixMissing()))('a real Postfix', () => {
  let world: DeliveryWorld;
  let policy: PolicyService | undefined;
  let postfix: Postfix | undefined;

  beforeAll(async () => {
    // The peer may be silent for 3 s; it scans for longer than that.
    world = await createDeliveryWorld({
      OUTBOUND_TIMEOUT_SECONDS: '3',
      OUTBOUND_DOT_TIMEOUT_SECONDS: '30',
    });
    policy = await startPolicyService(decide);
    const ask = `check_policy_service ${policy.name}`;
    postfix = await startPostfix(
      Object.keys(MX),
      [
        { address: PLAIN },
        {
          address: POLICY,
          settings: { smtpd_recipient_restrictions: ask, smtpd_end_of_data_restrictions: ask },
        },
        {
          address: CLOSED,
          settings: { smtpd_delay_reject: 'no', smtpd_client_restrictions: 'reject' },
        },
      ],
      world.context.config.OUTBOUND_SMTP_PORT,
    );
    for (const [domain, addresses] of Object.entries(MX)) {
      const hosts = addresses.map((address, nth) => [`mx${nth}.${domain}`, address] as const);
      world.dns.zone[domain] = { mx: hosts.map(([host], nth) => [nth, host]) };
      for (const [host, address] of hosts) world.dns.zone[host] = { a: [address] };
    }
    await world.open();
  });
  afterAll(async () => {
    await world?.close();
    postfix?.stop();
    policy?.close();
  });

  const attemptsOf = (id: string) =>
    world.rows<Record<string, unknown>>(
      'select * from message_attempts where message_id = $1 order by attempt',
      [id],
    );
  const copiesOf = (id: string) => postfix!.mails().filter((mail) => mail.includes(`<${id}@`)).length;

  test('that scans for longer than it may be silent elsewhere gets one copy', async () => {
    const id = await world.queue('slow@policy.test');
    expect(await world.untilState(id, 'delivered')).toMatchObject({ attempts: 1 });
    const [attempt] = await attemptsOf(id);
    expect(attempt!['duration_ms']).toBeGreaterThanOrEqual(SCAN_MS);
    await waitUntil(() => copiesOf(id) > 0); // Postfix delivers it after its answer
    expect(copiesOf(id)).toBe(1);
  });

  test('that answers 521 to RCPT and hangs up has refused for good', async () => {
    const id = await world.queue('hangup@policy.test');
    expect(await world.untilState(id, 'bounced')).toMatchObject({ attempts: 1 });
    expect(await attemptsOf(id)).toMatchObject([{ command: 'RCPT', smtp_code: 521, outcome: 'bounced' }]);
    expect(postfix!.log()).toMatch(/521 5\.7\.1 <hangup@policy\.test>: Recipient address rejected: not you/);
  });

  test('that refused a message takes the next one over the same connection', async () => {
    const connects = () => postfix!.log().match(/smtpd\[\d+\]: connect from/g)?.length ?? 0;
    const before = connects();
    const spam = await world.queue('spam@policy.test');
    await world.untilState(spam, 'bounced');
    expect(await attemptsOf(spam)).toMatchObject([{ command: 'DOT', smtp_code: 554 }]);
    const next = await world.queue('ann@policy.test');
    expect(await world.untilState(next, 'delivered')).toMatchObject({ attempts: 1 });
    expect(connects() - before).toBe(1);
  });

  test('that refuses in its greeting leaves the message to the next host', async () => {
    const id = await world.queue('ann@backup.test');
    expect(await world.untilState(id, 'delivered')).toMatchObject({ attempts: 1 });
    expect(await attemptsOf(id)).toMatchObject([{ mx: 'mx1.backup.test' }]);
    expect(postfix!.log()).toMatch(/CONNECT from \S+: 554 5\.7\.1 \S+ Client host rejected/);
  });

  test('that is the only host and refuses in its greeting puts the message off, and suppresses nobody', async () => {
    const id = await world.queue('ann@blocked.test');
    expect(await world.untilState(id, 'deferred')).toMatchObject({ defer_reason: 'remote_4xx' });
    expect((await attemptsOf(id))[0]).toMatchObject({ command: 'CONNECT', smtp_code: 554 });
    expect(await world.rows('select 1 from suppressions where email like $1', ['%@blocked.test'])).toEqual(
      [],
    );
  });

  test('that offers STARTTLS: the attempt shows version and cipher', async () => {
    const id = await world.queue('ann@plain.test');
    await world.untilState(id, 'delivered');
    expect(await attemptsOf(id)).toMatchObject([{ tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384' }]);
    await waitUntil(() => copiesOf(id) > 0);
    const mail = postfix!.mails().find((one) => one.includes(`<${id}@`));
    expect(mail!.toString()).toMatch(/using TLSv1\.3 with cipher TLS_AES_256_GCM_SHA384/);
  });
});

// What the policy service says, by recipient and by what Postfix asks about.
async function decide(attributes: Map<string, string>): Promise<string> {
  const atDot = attributes.get('protocol_state') === 'END-OF-MESSAGE';
  switch (attributes.get('recipient')) {
    case 'slow@policy.test':
      if (atDot) await sleep(SCAN_MS);
      return 'dunno';
    case 'hangup@policy.test':
      return '521 5.7.1 not you';
    case 'spam@policy.test':
      return atDot ? '554 5.7.1 spam' : 'dunno';
    default:
      return 'dunno';
  }
}
