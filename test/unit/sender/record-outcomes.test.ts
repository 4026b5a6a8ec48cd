// When a recorder says that it keeps up: nothing is sent that could not be recorded.

import pino from 'pino';
import { expect, test } from 'vitest';

import type { Outcome } from '../../../core/message/outcome.ts';
import { createRecorder } from '../../../sender/deliver/record-outcomes.ts';
import { WITHIN_A_SECOND, waitUntil } from '../../harness/wait.ts';

const ONE = { claim: { id: 'one' } } as Outcome;
const thrown = (code: string) => Object.assign(new Error('refused'), { code });

// A recorder whose batches meet these errors, one after the other; what follows is recorded.
function start(...errors: string[]) {
  const kept: boolean[] = [];
  let tries = 0;
  const recorder = createRecorder({
    record: (batch) => {
      if (tries > 0) kept.push(recorder.keepsUp());
      const code = errors[tries++];
      if (code) return Promise.reject(thrown(code));
      return Promise.resolve(new Set(batch.map(({ claim }) => claim.id)));
    },
    onRecorded: () => {},
    fail: () => {},
    log: pino({ level: 'silent' }),
  });
  return { recorder, kept };
}

test.each(['ECONNREFUSED', '53100', '57014'])(
  '%s: it does not until an outcome is recorded',
  async (code) => {
    const { recorder, kept } = start(code);
    recorder.push(ONE);
    await recorder.drained();
    expect(kept).toEqual([false]); // as the second try begins
    expect(recorder.keepsUp()).toBe(true);
  },
);

test('an outcome that PostgreSQL refuses by itself is no trouble of the others', async () => {
  const { recorder, kept } = start('ECONNREFUSED', '23514');
  recorder.push(ONE);
  await waitUntil(() => kept.length === 1); // the store answers the second try
  await waitUntil(() => recorder.keepsUp(), WITHIN_A_SECOND);
  expect(recorder.pending()).toBe(1);
});
