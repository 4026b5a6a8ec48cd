// What the dashboard copies for a domain is what a DNS server reads back.

import { expect, test } from 'vitest';

import { zoneLines } from '../../../dashboard/src/pages/domains/zone-lines.ts';
import { parseZoneText } from '../../../local/simulator/zone-text.ts';

test('records come back as they were, long keys and quotes included', () => {
  const records = [
    {
      type: 'TXT',
      name: 'k1._domainkey.shop.test',
      value: `v=DKIM1; k=rsa; p=${'A'.repeat(700)}`,
      priority: null,
    },
    { type: 'TXT', name: 'odd.shop.test', value: 'a "quoted" \\ word', priority: null },
    { type: 'MX', name: 'bounces.shop.test', value: 'mx.postrider.test', priority: 10 },
    { type: 'CNAME', name: 'click.shop.test', value: 'track.postrider.test', priority: null },
  ];
  const text = zoneLines(records);
  expect(text.split('\n')).toHaveLength(records.length);
  for (const [string] of text.matchAll(/"(?:[^"\\]|\\.)*"/g)) expect(string.length).toBeLessThanOrEqual(257);
  expect(parseZoneText(text)).toEqual({
    records: records.map(({ priority, ...record }) => (priority === null ? record : { ...record, priority })),
  });
});

test.each([
  ['a line that is no record', 'hello', 'line 1 is not: name type value'],
  ['an unknown type', '; fine\nshop.test SRV 1 2 3 x', 'line 2: type'],
  ['too many lines', '\n'.repeat(1_000), 'more than 1000 lines'],
])('%s is reported', (_, text, words) => {
  expect(parseZoneText(text)).toEqual({ error: expect.stringContaining(words) });
});
