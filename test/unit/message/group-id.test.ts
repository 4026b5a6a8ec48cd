import { expect, test } from 'vitest';

import { newUuid, toId, uuidTimeMs, uuidVersion } from '../../../core/base/ids.ts';
import { boundsOfGroups, idInGroup } from '../../../core/message/group-id.ts';

test('ids of a group follow from the first, in the order of its recipients, and within its bounds', () => {
  const first = newUuid();
  const others = Array.from({ length: 99 }, (_, n) => idInGroup(first, n + 1, `r${n}@example.net`));
  expect(others).toEqual(others.toSorted());
  expect(new Set([first, ...others]).size).toBe(100);
  expect(idInGroup(first, 7, 'r6@example.net')).toBe(others[6]);
  expect(idInGroup(first, 7, 'r7@example.net')).not.toBe(others[6]);
  const [lowest, highest] = boundsOfGroups([first]);
  for (const id of others) {
    expect([uuidTimeMs(id), uuidVersion(id)]).toEqual([uuidTimeMs(first), 7]);
    expect(toId('msg', id)).toMatch(/^msg_/);
    expect(id >= lowest && id <= highest).toBe(true);
  }
});
