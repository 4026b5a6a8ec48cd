// What is left of a reply when it is counted.

import { expect, test } from 'vitest';

import { normalReply } from '../../../core/mail/normal-reply.ts';
import { countThreadMs } from '../../harness/thread-time.ts';

test.each([
  ['250 2.0.0 OK  1732345678 d9443c01a7336-2129a5b 25si123 - gsmtp', '250 2.0.0 OK <n> <id> 25si123 - gsmtp'],
  [
    '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating\n421-4.7.28 from your IP address.\n421 4.7.28 been slowed. - gsmtp',
    '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address. been slowed. - gsmtp',
  ],
  [
    '550 5.1.1 <ann@example.com>: Recipient address rejected, see https://example.com/help?ip=192.0.2.7',
    '550 5.1.1 <address>: Recipient address rejected, see <url>',
  ],
  [
    '421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred',
    '421 4.7.0 [TSS04] Messages from <ip> temporarily deferred',
  ],
  ['451 4.7.1 [2001:db8::25] rate limited', '451 4.7.1 <ip> rate limited'],
])('%s', (reply, normal) => expect(normalReply(reply)).toBe(normal));

test('its length is bounded, and so is its cost', () => {
  const took = countThreadMs();
  expect(normalReply('550 '.padEnd(100_000, 'a.@-:1')).length).toBeLessThanOrEqual(160);
  expect(took()).toBeLessThan(1_000);
});
