// Who is refused for its processing time, when, and for how long.

import { expect, test } from 'vitest';

import type { AppError } from '../../../core/base/errors.ts';
import { createTimeBudget, type TimeAccount } from '../../../api/time-budget.ts';

function world() {
  const clock = { now: 0, worked: 0 };
  const budget = createTimeBudget({ now: () => clock.now, worked: () => clock.worked });
  /** Somebody else asks too. */
  const visit = () => budget.charge({ address: '192.0.2.7', tenantId: 'visitor' }, 1);
  const retryAfter = (account: TimeAccount): number | null => {
    try {
      budget.require(account);
      return null;
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited' });
      return (error as AppError).retryAfterSeconds!;
    }
  };
  /** Seconds pass, of which the event loop works a part. */
  const pass = (seconds: number, busy: number) => {
    clock.now += seconds * 1_000;
    clock.worked += seconds * 1_000 * busy;
  };
  return { budget, retryAfter, pass, visit };
}

const greedy = { address: '192.0.2.1', tenantId: 'greedy' };

test('who takes a busy process for itself is refused until its share covers what it took; nobody else is', () => {
  const { budget, retryAfter, pass } = world();
  for (let second = 0; second < 6; second++) {
    pass(1, 1);
    budget.charge(greedy, 900);
    budget.charge({ address: '192.0.2.2', tenantId: 'modest' }, 50);
  }
  pass(1, 1);
  expect(retryAfter({ address: '192.0.2.2', tenantId: 'modest' })).toBeNull();
  expect(retryAfter({ address: '192.0.2.3' })).toBeNull();
  for (const account of [greedy, { address: greedy.address }, { ...greedy, address: '192.0.2.9' }])
    expect(retryAfter(account), JSON.stringify(account)).toBe(1);
  pass(1, 1);
  expect(retryAfter(greedy)).toBeNull();
});

test('a process that has time refuses nobody', () => {
  const { budget, retryAfter, pass } = world();
  for (let second = 0; second < 20; second++) {
    pass(1, 0.7);
    budget.charge(greedy, 700);
    expect(retryAfter(greedy)).toBeNull();
  }
});

test('who is alone is refused nothing until somebody else comes, and for ten seconds from then', () => {
  const { budget, retryAfter, pass, visit } = world();
  const work = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      pass(1, 1);
      budget.charge(greedy, 1_000);
    }
  };
  work(10);
  expect(retryAfter(greedy)).toBeNull();
  visit();
  expect(retryAfter(greedy)).not.toBeNull();
  work(9);
  expect(retryAfter(greedy)).not.toBeNull();
  work(1);
  expect(retryAfter(greedy)).toBeNull();
});

test('a burst of two seconds is nobody’s fault, and no refusal is longer than twenty', () => {
  const { budget, retryAfter, pass, visit } = world();
  pass(1, 1);
  visit();
  budget.charge(greedy, 2_000);
  expect(retryAfter(greedy)).toBeNull();
  budget.charge(greedy, 100_000);
  expect(retryAfter(greedy)).toBe(20);
});

test('a flood of addresses takes a bounded number of entries', () => {
  const { budget, retryAfter, pass, visit } = world();
  pass(1, 1);
  visit();
  budget.charge({ address: 'first' }, 5_000);
  expect(retryAfter({ address: 'first' })).not.toBeNull();
  for (let i = 0; i < 50_000; i++) budget.charge({ address: `other ${i}` }, 1);
  expect(retryAfter({ address: 'first' })).toBeNull();
});
