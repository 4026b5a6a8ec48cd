// The name of a client for the scanner: from its address and back, or none.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createClientName } from '../../../inbound/client-name.ts';
import { startDnsPeer, type DnsPeer } from '../../harness/dns-peer.ts';

let peer: DnsPeer;
beforeAll(async () => {
  peer = await startDnsPeer({
    '8.8.8.8.in-addr.arpa': { ptr: ['mx.sender.test'] },
    '9.8.8.8.in-addr.arpa': { ptr: ['mx.sender.test'] },
    '1.1.1.1.in-addr.arpa': { silent: true },
    'mx.sender.test': { a: ['8.8.8.8'] },
  });
});
afterAll(() => peer.close());

test.each([
  ['8.8.8.8', 'mx.sender.test', 'confirmed'],
  ['8.8.8.9', null, 'the name has another address'],
  ['9.9.9.9', null, 'no name'],
  ['1.1.1.1', null, 'no answer in time'],
  ['127.0.0.1', null, 'private'],
])('%s: %s (%s)', async (address, name, _why) => {
  const startedAt = performance.now();
  expect(await createClientName({ DNS_SERVERS: [peer.address] })(address)).toBe(name);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  if (address === '127.0.0.1') expect(peer.questions.join()).not.toContain('127');
});
