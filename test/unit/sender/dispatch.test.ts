import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { createLogger } from '../../../core/base/log.ts';
import { RedisAway } from '../../../core/clients/redis.ts';
import { createDispatch } from '../../../sender/deliver/dispatch.ts';
import { createInFlight } from '../../../sender/deliver/in-flight.ts';
import type { ClaimedMessage, Claimer } from '../../../sender/smtp/destination.ts';

const CONTENT = Buffer.alloc(2_000_000); // of all messages: the memory is counted, not used

const away = () => Promise.reject(new RedisAway('not here'));
const redis = { run: away, ping: async () => false, close: async () => {} };

// Destinations that answer nobody, and what is in flight.
function stuckWorld() {
  const inFlight = createInFlight(2_000);
  const claimer: Claimer = { done: ({ claim }) => inFlight.remove(claim) };
  const dispatch = createDispatch({
    routes: [{ name: 'direct', weight: 1 }],
    findTarget: async (_route, domain) => ({
      key: domain,
      provider: null,
      source: null,
      hosts: () => [],
      endpoints: async () => [],
    }),
    chooseSource: async () => ({ kind: 'leave', source: null, admission: null }),
    isResting: () => false,
    deliver: () => new Promise(() => {}),
    free: () => inFlight.capacity('transactional'),
    freeOctets: inFlight.octetsLeft,
    databaseNow: () => new Date(0),
    providers: { redis, keyPrefix: 'test', senders: () => 1, scale: 1, random: () => 0.5, rest: () => {} },
    maxConnections: 20,
    random: () => 0.5,
    scale: 1,
    log: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
  });
  const send = async (domain: string, count: number, content: Buffer) => {
    for (let n = 0; n < count; n += 1) {
      const message = { claim: claimTo(`r${n}@${domain}`, content), workerId: newUuid(), claimer };
      inFlight.add(message);
      dispatch.place(message);
    }
    await nextTurn(); // destinations are found in microtasks
  };
  return { inFlight, dispatch, send };
}

function claimTo(rcptTo: string, content: Buffer): ClaimedMessage['claim'] {
  return {
    id: newUuid(),
    groupId: null,
    tenantId: newUuid(),
    domainId: newUuid(),
    stream: 'transactional',
    origin: 'api' as const,
    claimVersion: 1,
    admittedDay: '1970-01-01',
    attempts: 0,
    rcptTo,
    headerFrom: 'shop@example.com',
    esp: null,
    campaignId: null,
    templateVersion: null,
    createdAt: new Date(0),
    expiresAt: new Date(86_400_000),
    content,
    octets: content.length,
  };
}

test('large messages to a peer that thinks about each leave memory for all others', async () => {
  const { inFlight, dispatch, send } = stuckWorld();
  const all = inFlight.octetsLeft();
  await send('slow.test', 200, CONTENT);
  expect(inFlight.octetsLeft()).toBeGreaterThan(all / 3);
  expect(inFlight.size()).toBeGreaterThan(20); // it keeps its share
  await send('slower.test', 200, CONTENT);
  expect(inFlight.capacity('transactional')).toBeGreaterThan(0);
  const before = dispatch.active();
  await send('quick.test', 1, CONTENT);
  expect(dispatch.active()).toBe(before + 1);
});

test('one message always fits', async () => {
  const { inFlight, dispatch, send } = stuckWorld();
  await send('huge.test', 1, Buffer.alloc(inFlight.octetsLeft()));
  expect(dispatch.active()).toBe(1);
});
