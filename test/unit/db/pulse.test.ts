// When a database counts as silent, and when it is back.

import { afterEach, expect, test } from 'vitest';

import { startPulse, type Pulse } from '../../../core/db/pulse.ts';
import { waitUntil } from '../../harness/wait.ts';

let pulse: Pulse;
afterEach(() => pulse.stop());

function start(ask: (sent: () => void) => Promise<unknown>, isBusy = () => true, answered = () => 0) {
  const heard = { asked: 0, silences: 0 };
  const counted = (sent: () => void) => {
    heard.asked++;
    return ask(sent);
  };
  pulse = startPulse({ ask: counted, isBusy, answered, silenceMs: 50, onSilence: () => heard.silences++ });
  return heard;
}

test('a question without an answer is silence, once, until the answer comes', async () => {
  let answer = (): void => {};
  const heard = start((sent) => {
    sent();
    return new Promise<void>((resolve) => (answer = resolve));
  });
  await waitUntil(() => !pulse.answers());
  expect(heard).toEqual({ asked: 1, silences: 1 });
  answer();
  await waitUntil(() => pulse.answers());
});

test('a question that was given up late is no answer; the next one may be', async () => {
  let frozen = true;
  const heard = start(async (sent) => {
    sent();
    if (!frozen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
    throw new Error('Query read timeout');
  });
  await waitUntil(() => heard.asked >= 2);
  expect(pulse.answers()).toBe(false);
  expect(heard.silences).toBe(1);
  frozen = false;
  await waitUntil(() => pulse.answers());
});

test('a question that gets no connection is silence, unless the server answers others meanwhile', async () => {
  const noConnection = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    throw new Error('Connection terminated due to connection timeout');
  };
  let answers = 0;
  const busy = start(noConnection, undefined, () => ++answers);
  await waitUntil(() => busy.asked >= 2);
  expect(busy.silences).toBe(0);
  pulse.stop();
  const frozen = start(noConnection);
  await waitUntil(() => !pulse.answers());
  expect(frozen.silences).toBe(1);
});

test('a question that waits for a connection for long says nothing', async () => {
  const heard = start(async (sent) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    sent();
  });
  await waitUntil(() => heard.asked >= 2);
  expect(heard.silences).toBe(0);
});

test('a refusal is an answer: who asks gets it himself', async () => {
  const heard = start(() => Promise.reject(new Error('connect ECONNREFUSED')));
  await waitUntil(() => heard.asked >= 2);
  expect(pulse.answers()).toBe(true);
});

test('nobody is asked while nobody waits', async () => {
  let looked = 0;
  const heard = start(
    () => Promise.resolve(),
    () => looked++ < 0,
  );
  await waitUntil(() => looked >= 2);
  expect(heard.asked).toBe(0);
});
