// Addresses and sizes as operators write and read them.

import { expect, test } from 'vitest';

import { sizeText } from '../../../../core/db/cluster/move-text.ts';
import { parseAddress } from '../../../../core/db/cluster/node.ts';

test.each([
  ['10.0.0.2:5432', { host: '10.0.0.2', port: 5432 }],
  ['worker-1.db.example:5433', { host: 'worker-1.db.example', port: 5433 }],
  ['fd00::2:5432', { host: 'fd00::2', port: 5432 }],
  ['10.0.0.2', null],
  [':5432', null],
  ['10.0.0.2:0', null],
  ['10.0.0.2:65536', null],
  ['10.0.0.2:5432x', null],
])('%s', (text, address) => {
  expect(parseAddress(text)).toEqual(address);
});

test.each([
  [0, '0.0 kB'],
  [999_949, '1000 kB'],
  [3_973_120, '4.0 MB'],
  [841_000_000, '841 MB'],
  [7_900_000_000_000_000, '7900 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
