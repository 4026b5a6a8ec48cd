// What is indexed of a message and what is looked for are cut alike: every part of an address finds it.

import { expect, test } from 'vitest';

import { MIN_PART_CHARS, termsOf, termsToFind } from '../../../core/message/search/terms.ts';

const of = (to: string) => termsOf({ to, subject: '', domain: 'shop.test', campaignId: null, tags: [] });

test.each(['ann.miller48213@Example.com', 'bo@x.test', '"a@b c@d"@example.com', 'jürgen@münchen.example'])(
  'every part of %s is among its terms',
  (to) => {
    const terms = of(to);
    for (let from = 0; from < to.length; from++) {
      for (let until = from + MIN_PART_CHARS; until <= to.length; until++) {
        const part = to.slice(from, until);
        const looked = [...termsToFind({ to: part })];
        expect(looked.length, part).toBeGreaterThan(0);
        expect(
          looked.filter((term) => !terms.has(term)),
          part,
        ).toEqual([]);
      }
    }
  },
);

test('an address is told from most others by the end of its local part', () => {
  expect([...termsToFind({ to: 'Ann.Miller48213@example.com' })]).toContain('aler48213@');
  expect([...termsToFind({ to: '8213@example.com' })]).toContain('a8213@');
});
