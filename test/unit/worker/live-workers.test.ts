// Who lives, as heartbeats show it.

import { expect, test } from 'vitest';

import { createLiveWorkers, MOST_NAMED } from '../../../core/worker/live-workers.ts';

test('those that a heartbeat names, with oneself, in order; a change is told once', () => {
  const live = createLiveWorkers(() => 'b');
  let changes = 0;
  live.onChange(() => (changes += 1));
  live.heard([], false);
  expect(live.ids()).toEqual(['b']);
  live.heard(['a', 'c'], true);
  live.heard(['a', 'c'], true);
  expect(live.ids()).toEqual(['a', 'b', 'c']);
  expect(changes).toBe(2);
});

test('after a gap those that were known stay until all had the time for a heartbeat; who is new is there at once', () => {
  const live = createLiveWorkers(() => 'b');
  live.heard(['a', 'c'], true);
  live.heard(['d'], false);
  expect(live.ids()).toEqual(['a', 'b', 'c', 'd']);
  live.heard(['d'], true);
  expect(live.ids()).toEqual(['b', 'd']);
});

test('a new name of its own replaces the old one', () => {
  let own = 'b';
  const live = createLiveWorkers(() => own);
  live.heard(['a'], true);
  own = 'z';
  live.heard(['a'], false);
  expect(live.ids()).toEqual(['a', 'z']);
});

test('of too many, everybody sees the same', () => {
  const ids = Array.from({ length: MOST_NAMED + 2 }, (_, n) => String(n).padStart(4, '0'));
  const seenBy = (own: string) => {
    const live = createLiveWorkers(() => own);
    live.heard(ids.filter((id) => id !== own).slice(0, MOST_NAMED), true);
    return live.ids();
  };
  for (const own of [ids[0]!, ids[MOST_NAMED]!, ids.at(-1)!])
    expect(seenBy(own)).toEqual(ids.slice(0, MOST_NAMED));
});
