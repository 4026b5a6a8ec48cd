// The known name that somebody meant.

import { expect, test } from 'vitest';

import { nearestName } from '../../../core/base/nearest-name.ts';

const FIELDS = [
  'from',
  'to',
  'cc',
  'bcc',
  'subject',
  'html',
  'text',
  'reply_to',
  'template_id',
  'scheduled_at',
];

test.each([
  ['replyTo', 'reply_to'],
  ['Reply-To', 'reply_to'],
  ['TEMPLATE_ID', 'template_id'],
  ['subjekt', 'subject'],
  ['sceduled_at', 'scheduled_at'],
  ['htm', 'html'],
  ['recipients', null],
  ['x', null], // nothing is left of a short name with two letters changed
  ['__proto__', null],
  ['é'.repeat(1_000), null],
])('%s: %s', (written, meant) => {
  expect(nearestName(written, FIELDS)).toBe(meant);
});

test('without known names there is none', () => {
  expect(nearestName('to', [])).toBeNull();
});
