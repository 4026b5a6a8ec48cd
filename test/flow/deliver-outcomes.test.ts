// What the receiving server answers, and what becomes of the message.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';

let world: DeliveryWorld;

beforeAll(async () => {
  world = await createDeliveryWorld();
  await world.open();
});

afterAll(() => world.close());

const eventsOf = (id: string) =>
  world.rows<{ type: string; data: Record<string, unknown> }>(
    'select type, data from events where message_id = $1 order by id',
    [id],
  );
const attemptsOf = (id: string) =>
  world.rows<Record<string, unknown>>(
    'select * from message_attempts where message_id = $1 order by attempt',
    [id],
  );
const suppressed = (email: string) =>
  world.rows('select 1 from suppressions where tenant_id = $1 and email = $2', [
    world.account.tenantId,
    email,
  ]);

describe('the peer says yes', () => {
  test('the message is delivered, once, with its attempt and its event', async () => {
    const peer = await world.startPeer('yes.test');
    const id = await world.queue('ann@yes.test');
    const row = await world.untilState(id, 'delivered');
    expect(row).toMatchObject({ attempts: 1, claimed_by: null, next_attempt_at: null, defer_reason: null });
    expect(row.finished_at).not.toBeNull();
    expect(peer.messages).toHaveLength(1);
    expect(peer.messages[0]).toMatchObject({ rcptTo: 'ann@yes.test' });
    expect(peer.messages[0]!.mailFrom).toMatch(/^b\+[a-z2-7]{48}@bounces\./);
    expect(peer.messages[0]!.raw.toString()).toContain(`Message-ID: <${id}@${world.account.domain}>`);
    expect(await attemptsOf(id)).toMatchObject([
      {
        attempt: 1,
        mx: 'mx.yes.test',
        smtp_code: 250,
        enhanced_code: '2.0.0',
        outcome: 'delivered',
        esp: 'direct',
      },
    ]);
    expect(await eventsOf(id)).toMatchObject([
      { type: 'delivered', data: { smtp_code: 250, mx: 'mx.yes.test' } },
    ]);
  });

  test('one connection carries message after message', async () => {
    const peer = await world.startPeer('reuse.test');
    for (let n = 0; n < 5; n += 1) await world.untilState(await world.queue(`r${n}@reuse.test`), 'delivered');
    expect(peer.messages).toHaveLength(5);
    expect(peer.connections).toBe(1);
  });

  test('an idle connection that the peer has closed is no attempt', async () => {
    const peer = await world.startPeer('closes.test');
    await world.untilState(await world.queue('one@closes.test'), 'delivered');
    let commands = 0;
    peer.script.mail = () => (commands++ === 0 ? '421 4.4.2 idle for too long' : '250 2.1.0 ok');
    const row = await world.untilState(await world.queue('two@closes.test'), 'delivered');
    expect(commands).toBe(2);
    expect(row.attempts).toBe(1);
  });
});

describe('the peer says no', () => {
  test('550 5.1.1 bounces and suppresses', async () => {
    await world.startPeer('no.test', { rcpt: () => '550 5.1.1 no such user' });
    const id = await world.queue('Gone@no.test');
    await world.untilState(id, 'bounced');
    expect(await eventsOf(id)).toMatchObject([
      {
        type: 'bounced',
        data: {
          kind: 'hard',
          class: 'invalid_recipient',
          smtp_code: 550,
          enhanced_code: '5.1.1',
          diagnostic: '550 5.1.1 no such user',
          source: 'smtp',
        },
      },
    ]);
    expect(await suppressed('gone@no.test')).toHaveLength(1);
  });

  test('a refusal of our address bounces and suppresses nobody', async () => {
    await world.startPeer('blocks.test', {
      rcpt: () => '550 5.7.1 Service unavailable; client host [192.0.2.1] blocked using zen.spamhaus.org',
    });
    const id = await world.queue('ann@blocks.test');
    await world.untilState(id, 'bounced');
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({ type: 'bounced', data: { kind: 'soft', class: 'reputation_block' } });
    expect(await suppressed('ann@blocks.test')).toHaveLength(0);
  });

  test('452 defers, and the retry delivers', async () => {
    let tries = 0;
    const peer = await world.startPeer('later.test', {
      rcpt: () => (++tries === 1 ? '452 4.2.2 mailbox full for the moment' : '250 2.1.5 ok'),
    });
    const id = await world.queue('ann@later.test');
    const row = await world.untilState(id, 'delivered');
    expect(row.attempts).toBe(2);
    expect(await eventsOf(id)).toMatchObject([
      { type: 'deferred', data: { reason: 'remote_4xx', smtp_code: 452 } },
      { type: 'delivered' },
    ]);
    expect(peer.messages).toHaveLength(1);
  });

  test('421 for ever expires at the age limit', async () => {
    await world.startPeer('never.test', { rcpt: () => '421 4.7.0 come back later' });
    const id = await world.queue('ann@never.test', { expiresInMs: 2_000 });
    await world.untilState(id, 'expired');
    const types = (await eventsOf(id)).map((event) => event.type);
    expect(types.at(-1)).toBe('expired');
    expect(types.filter((type) => type === 'deferred').length).toBeGreaterThan(0);
  });
});

describe('there is no answer', () => {
  test('a best host that is dead, and one that is busy: the next one accepts the message', async () => {
    const busy = await world.startPeer('busy.test', { greeting: () => '421 4.3.2 too busy' });
    const backup = await world.startPeer('backup.test');
    world.dns.zone['dead.test'] = { a: ['127.0.0.252'] };
    world.dns.zone['three.test'] = {
      mx: [
        [5, 'dead.test'],
        [10, 'mx.busy.test'],
        [20, 'mx.backup.test'],
      ],
    };
    const id = await world.queue('ann@three.test');
    const row = await world.untilState(id, 'delivered');
    expect(row.attempts).toBe(1);
    expect(busy.connections).toBe(1);
    expect(backup.messages).toHaveLength(1);
  });

  test('a refused connection defers with reason network', async () => {
    world.dns.zone['closed.test'] = { a: ['127.0.0.250'] };
    const id = await world.queue('ann@closed.test', { expiresInMs: 60_000 });
    const row = await world.untilState(id, 'deferred');
    expect(row).toMatchObject({ finished_at: null });
    expect(row.defer_reason).toBe('network');
    expect((await attemptsOf(id))[0]).toMatchObject({
      smtp_code: null,
      bounce_class: 'connection',
      mx: 'closed.test',
    });
  });

  test('a connection lost after the final dot is tried again under the same Message-ID', async () => {
    let tries = 0;
    const seen: string[] = [];
    await world.startPeer('dot.test', {
      dot: ({ raw }) => {
        seen.push(/^Message-ID: (.*)$/m.exec(raw.toString())![1]!);
        return ++tries === 1 ? { drop: true } : '250 2.0.0 taken';
      },
    });
    const id = await world.queue('ann@dot.test');
    await world.untilState(id, 'delivered');
    expect(seen).toHaveLength(2);
    expect(new Set(seen).size).toBe(1);
    expect((await attemptsOf(id))[0]).toMatchObject({ outcome: 'deferred', command: 'DOT' });
  });

  test('a domain that does not exist bounces, and suppresses nobody', async () => {
    const id = await world.queue('ann@nowhere.test');
    await world.untilState(id, 'bounced');
    expect((await eventsOf(id))[0]).toMatchObject({ data: { class: 'invalid_domain', kind: 'hard' } });
    expect(await suppressed('ann@nowhere.test')).toHaveLength(0);
  });

  test('a null MX bounces; a DNS server in trouble defers', async () => {
    world.dns.zone['null.test'] = { mx: [[0, '']] };
    world.dns.zone['servfail.test'] = { fail: true };
    const [refused, waits] = await world.queueAll(['ann@null.test', 'ann@servfail.test']);
    await world.untilState(refused!, 'bounced');
    expect((await eventsOf(refused!))[0]).toMatchObject({ data: { class: 'null_mx' } });
    const row = await world.untilState(waits!, 'deferred');
    expect(row.defer_reason).toBe('network');
  });
});
