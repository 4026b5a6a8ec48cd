import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { messageMaxAgeMs, settings } from '../../../core/base/config.ts';
import { nextRetryMs, RETRY_GAPS_MS } from '../../../sender/deliver/retry-schedule.ts';

const HOUR = 3_600_000;
const MAX_AGE = messageMaxAgeMs(settings.pick({ MESSAGE_MAX_AGE_HOURS: true }).parse({}));
const now = new Date('2026-01-01T00:00:00Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const base = { now, expiresAt: after(MAX_AGE), scale: 1, random: () => 0.5 };

describe('nextRetryMs', () => {
  test('the first gap is 30 to 60 seconds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999999, noNaN: true }), (point) => {
        const gap = nextRetryMs({ ...base, attempts: 1, random: () => point })!;
        expect(gap).toBeGreaterThanOrEqual(30_000);
        expect(gap).toBeLessThanOrEqual(60_000);
      }),
    );
  });

  test('gaps grow, then stay at the longest', () => {
    const gaps = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((attempts) => nextRetryMs({ ...base, attempts }));
    expect(gaps.slice(0, 7)).toEqual([...RETRY_GAPS_MS]);
    expect(gaps.slice(7)).toEqual([4 * HOUR, 4 * HOUR]);
  });

  test('the last try is at the age limit, when at least a quarter of a gap is left', () => {
    expect(nextRetryMs({ ...base, attempts: 9, expiresAt: after(2 * HOUR) })).toBe(2 * HOUR);
    expect(nextRetryMs({ ...base, attempts: 9, expiresAt: after(0.9 * HOUR) })).toBeNull();
    expect(nextRetryMs({ ...base, attempts: 1, expiresAt: after(-1) })).toBeNull();
  });

  test('no gap ever passes the age limit, and the whole ends at it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 0.999999, noNaN: true }), { minLength: 200, maxLength: 200 }),
        (points) => {
          let time = 0;
          for (const [index, point] of points.entries()) {
            const gap = nextRetryMs({ ...base, now: after(time), attempts: index + 1, random: () => point });
            if (gap === null) break;
            time += gap;
          }
          expect(time).toBeLessThanOrEqual(MAX_AGE);
          expect(time).toBeGreaterThan(MAX_AGE - 2 * HOUR);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('the scale shortens gaps', () => {
    expect(nextRetryMs({ ...base, attempts: 1, scale: 0.01 })).toBe(450);
  });
});
