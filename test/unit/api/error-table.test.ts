import { expect, test } from 'vitest';

import { toAppError } from '../../../api/error-table.ts';

test('who waited in a circle in the database is told to try again', () => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  expect(toAppError(deadlock, 'r')).toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: expect.any(Number),
  });
  expect(toAppError(new Error('another'), 'r')).toMatchObject({ code: 'internal_error' });
});
