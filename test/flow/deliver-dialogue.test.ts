// What a peer's words are worth when it hangs up, is slow, refuses in its greeting, or when this sender stops.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import type { PeerScript } from '../harness/smtp-peer.ts';
import { waitUntil } from '../harness/wait.ts';

const SILENCE = { OUTBOUND_TIMEOUT_SECONDS: '1', OUTBOUND_DOT_TIMEOUT_SECONDS: '4' };

let world: DeliveryWorld;

beforeAll(async () => {
  world = await createDeliveryWorld(SILENCE);
  await world.open();
});
afterAll(() => world.close());

interface AttemptRow {
  duration_ms: number;
  mx: string;
  command: string | null;
  smtp_code: number | null;
  bounce_class: string | null;
  outcome: string;
}

const attemptsOf = (id: string, from = world) =>
  from.rows<AttemptRow>('select * from message_attempts where message_id = $1 order by attempt', [id]);
const isSuppressed = async (email: string) =>
  (await world.rows('select 1 from suppressions where email = $1', [email])).length > 0;

describe('the answer to the final dot has a time of its own', () => {
  test('a slow scanner gets one copy; before the dot the same silence is too long', async () => {
    let silent = false;
    const peer = await world.startPeer('scanner.test', {
      dot: () => ({ reply: '250 2.0.0 clean', afterMs: 2_000 }),
      mail: () => (silent ? ((silent = false), { hang: true }) : '250 2.1.0 ok'),
    });
    const slow = await world.queue('ann@scanner.test');
    expect((await world.untilState(slow, 'delivered')).attempts).toBe(1);
    expect(peer.messages).toHaveLength(1);

    silent = true; // over the connection that has waited for a dot: the short time counts again
    peer.script.dot = () => '250 2.0.0 clean';
    const next = await world.queue('bob@scanner.test');
    await world.untilState(next, 'delivered');
    const [attempt] = await attemptsOf(next);
    expect(attempt!.duration_ms).toBeGreaterThanOrEqual(900);
    expect(attempt!.duration_ms).toBeLessThan(3_500);
  });

  test('a peer that never answers it gets the message again after that time', async () => {
    let tries = 0;
    await world.startPeer('silent.test', { dot: () => (++tries === 1 ? { hang: true } : '250 2.0.0 ok') });
    const id = await world.queue('ann@silent.test');
    await world.untilState(id, 'delivered');
    const [first] = await attemptsOf(id);
    expect(first).toMatchObject({ outcome: 'deferred', command: 'DOT', smtp_code: null });
    expect(first!.duration_ms).toBeGreaterThanOrEqual(3_900);
  });
});

describe('a peer that says an octet now and then is never silent, and may not hold a message for ever', () => {
  const drip = { reply: `250-${'x'.repeat(100)}`, dripMs: 400 }; // 40 s
  const scripts: [string, PeerScript][] = [
    ['EHLO', { ehlo: () => drip }],
    ['RCPT', { rcpt: () => drip }],
    ['DOT', { dot: () => drip }],
  ];
  test.each(scripts)('%s', async (command, script) => {
    const domain = `drips-${command.toLowerCase()}.test`;
    await world.startPeer(domain, script);
    const id = await world.queue(`ann@${domain}`);
    await world.untilState(id, 'deferred');
    const [attempt] = await attemptsOf(id);
    expect(attempt!.duration_ms).toBeLessThan(15_000);
    expect(attempt).toMatchObject({ outcome: 'deferred', smtp_code: null });
  });
});

describe('the last reply counts for more than the end of the connection', () => {
  const drop = true;
  const refusals: [what: string, script: PeerScript, attempt: Partial<AttemptRow>, state: string][] = [
    [
      '521 to RCPT, as Postfix hangs up',
      { rcpt: () => ({ reply: '521 5.7.1 not from you', drop }) },
      { command: 'RCPT', smtp_code: 521 },
      'bounced',
    ],
    [
      '550 to MAIL',
      { mail: () => ({ reply: '550 5.7.1 sender refused', drop }) },
      { command: 'MAIL', smtp_code: 550 },
      'bounced',
    ],
    [
      '550 to MAIL and 421 to what followed',
      { mail: () => '550 5.7.1 sender refused', rcpt: () => '421 4.3.2 closing' },
      { command: 'MAIL', smtp_code: 550 },
      'bounced',
    ],
    [
      '554 to the message',
      { dot: () => ({ reply: '554 5.6.0 not like this', drop }) },
      { command: 'DOT', smtp_code: 554 },
      'bounced',
    ],
    [
      '450 to RCPT',
      { rcpt: () => ({ reply: '450 4.2.0 later', drop }) },
      { command: 'RCPT', smtp_code: 450 },
      'deferred',
    ],
    ['421 to RCPT', { rcpt: () => '421 4.7.0 later' }, { command: 'RCPT', smtp_code: 421 }, 'deferred'],
    ['421 to the message', { dot: () => '421 4.3.0 later' }, { command: 'DOT', smtp_code: 421 }, 'deferred'],
    [
      '550 to EHLO',
      { ehlo: () => ({ reply: '550 5.7.1 not you', drop }) },
      { command: 'EHLO', smtp_code: 550 },
      'deferred',
    ],
  ];
  test.each(refusals)('%s', async (_what, script, attempt, state) => {
    const domain = `hangs-${refusals.findIndex(([, one]) => one === script)}.test`;
    const peer = await world.startPeer(domain, script);
    for (const extensions of [['PIPELINING'], []]) {
      peer.script.extensions = extensions;
      const id = await world.queue(`to-${extensions.length}@${domain}`);
      await world.untilState(id, state);
      expect((await attemptsOf(id))[0]).toMatchObject({ ...attempt, outcome: state });
      await world.rows(`update messages set state = 'cancelled', next_attempt_at = null where id = $1`, [id]);
    }
  });

  test('nothing refused: a connection that breaks after RCPT is tried again', async () => {
    let tries = 0;
    await world.startPeer('breaks.test', { data: () => (++tries === 1 ? { drop } : '354 go on') });
    const id = await world.queue('ann@breaks.test');
    await world.untilState(id, 'delivered');
    expect((await attemptsOf(id))[0]).toMatchObject({ outcome: 'deferred', smtp_code: null });
  });
});

describe('the connection after a refused message', () => {
  test('is reset before the next one', async () => {
    // The next one waits already, and for this one connection: an idle connection is closed after a silence.
    const patient = await createDeliveryWorld({
      OUTBOUND_MAX_CONNECTIONS: '1',
      OUTBOUND_TIMEOUT_SECONDS: '60',
      WORKER_LEASE_MS: '60000',
    });
    let asked = 0;
    const peer = await patient.startPeer('again.test', {
      dot: () => (++asked === 1 ? '554 5.7.1 spam' : '250 2.0.0 ok'),
    });
    const ids = await patient.queueAll(['ann@again.test', 'bob@again.test']);
    await patient.open();
    const ends = await Promise.all(ids.map((id) => patient.untilState(id, 'bounced', 'delivered')));
    const verbs = peer.commands.map((line) => line.split(/[ :]/)[0]);
    await patient.close();
    expect(ends.map(({ state }) => state).sort()).toEqual(['bounced', 'delivered']);
    expect(peer.connections).toBe(1);
    expect(verbs).toEqual(['EHLO', 'MAIL', 'RCPT', 'DATA', 'RSET', 'MAIL', 'RCPT', 'DATA']);
  });

  test.each([
    ['refuses RSET', () => '500 5.5.1 what?'],
    ['hangs up at RSET', () => ({ drop: true })],
    ['never answers RSET', () => ({ hang: true })],
  ])('is left to a peer that %s', async (what, rset) => {
    const domain = `${what.replaceAll(' ', '-').toLowerCase()}.test`;
    const peer = await world.startPeer(domain, {
      dot: ({ rcptTo }) => (rcptTo.startsWith('no') ? '554 5.7.1 spam' : '250 2.0.0 ok'),
      rset,
    });
    await world.untilState(await world.queue(`no@${domain}`), 'bounced');
    const row = await world.untilState(await world.queue(`yes@${domain}`), 'delivered');
    expect(row.attempts).toBe(1);
    expect(peer.connections).toBe(2);
  });
});

describe('a refusal in the greeting', () => {
  test('puts the message off, and suppresses nobody: it is about us', async () => {
    const peer = await world.startPeer('door.test', {
      greeting: () => '554 5.7.1 no mail from your network',
    });
    const id = await world.queue('ann@door.test');
    await world.untilState(id, 'deferred');
    expect((await attemptsOf(id))[0]).toMatchObject({ command: 'CONNECT', smtp_code: 554 });
    peer.script.greeting = () => '220 welcome';
    await world.untilState(id, 'delivered');
    expect(await isSuppressed('ann@door.test')).toBe(false);
  });

  test('by one host sends the message to the next', async () => {
    await world.startPeer('first.test', { greeting: () => '554 5.7.1 blocked using bl.example.org' });
    const second = await world.startPeer('second.test');
    world.dns.zone['pair.test'] = {
      mx: [
        [10, 'mx.first.test'],
        [20, 'mx.second.test'],
      ],
    };
    const row = await world.untilState(await world.queue('ann@pair.test'), 'delivered');
    expect(row.attempts).toBe(1);
    expect(second.messages).toHaveLength(1);
  });

  test('is final when every host says that it takes no mail at all (521)', async () => {
    const never = () => '521 5.3.2 this host does not accept mail';
    await world.startPeer('never.test', { greeting: never });
    const other = await world.startPeer('neither.test', { greeting: () => '554 5.7.1 not you' });
    world.dns.zone['none.test'] = {
      mx: [
        [10, 'mx.neither.test'],
        [20, 'mx.never.test'],
      ],
    };
    const id = await world.queue('ann@none.test');
    await world.untilState(id, 'deferred');
    expect((await attemptsOf(id))[0]).toMatchObject({ mx: 'mx.neither.test', smtp_code: 554 });
    other.script.greeting = never;
    await world.untilState(id, 'bounced');
    expect((await attemptsOf(id)).at(-1)).toMatchObject({ command: 'CONNECT', bounce_class: 'null_mx' });
    expect(await isSuppressed('ann@none.test')).toBe(false);
  });
});

describe('a sender that stops while a peer thinks about a message', () => {
  test('waits for the answer, and records it', async () => {
    const stopping = await createDeliveryWorld();
    try {
      const peer = await stopping.startPeer('thinks.test', {
        dot: () => ({ reply: '250 2.0.0 clean', afterMs: 1_000 }),
      });
      const sender = await stopping.open();
      const id = await stopping.queue('ann@thinks.test');
      await waitUntil(() => peer.commands.includes('DATA'));
      await sender.stop();
      expect(await stopping.untilState(id, 'delivered')).toMatchObject({ attempts: 1, claim_version: 1 });
      expect(peer.messages).toHaveLength(1);
    } finally {
      await stopping.close();
    }
  });

  test('cuts off a peer that takes too long: the message is tried again by another sender', async () => {
    const stopping = await createDeliveryWorld({
      SENDER_DRAIN_SECONDS: '1',
      OUTBOUND_DOT_TIMEOUT_SECONDS: '600',
    });
    try {
      const seen: string[] = [];
      await stopping.startPeer('ages.test', {
        dot: ({ raw }) => {
          seen.push(/^Message-ID: (.*)$/m.exec(raw.toString())![1]!);
          return seen.length === 1 ? { hang: true } : '250 2.0.0 ok';
        },
      });
      const sender = await stopping.open();
      const id = await stopping.queue('ann@ages.test');
      await waitUntil(() => seen.length === 1);
      await sender.stop();
      expect(await stopping.untilState(id, 'deferred')).toMatchObject({
        attempts: 1,
        claimed_by: null,
        defer_reason: 'network',
      });
      expect(await attemptsOf(id, stopping)).toMatchObject([{ command: 'DOT', outcome: 'deferred' }]);
      await stopping.open();
      await stopping.untilState(id, 'delivered');
      expect(new Set(seen).size).toBe(1);
    } finally {
      await stopping.close();
    }
  });
});
