// The pool against templates that never end: who pays for them, and who does not.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createLogger } from '../../core/base/log.ts';
import { RENDER_LIMIT_MS } from '../../core/template/engine.ts';
import { createRenderPool, HARD_LIMIT_MS, type RenderPool } from '../../core/template/render-pool.ts';
import type { RenderResult } from '../../core/template/template.ts';
import { watchEventLoop } from '../harness/thread-time.ts';

const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const NESTED =
  '{% for a in x %}{% for b in x %}{% for c in x %}{% for d in x %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}';
// One output, so between its filters the engine's own limit is never asked: only the watchdog ends it.
const ONE_OUTPUT = `{{ x${' | split: "" | sort_natural | join: ""'.repeat(6)} }}`;

let pool: RenderPool;
beforeEach(() => {
  pool = createRenderPool(log, 1);
});
afterEach(() => pool.close());

const good = (tenantId = 'good', name = 'Ann'): Promise<RenderResult> =>
  pool.render({
    tenantId,
    key: `${tenantId} 1`,
    content: { subject: 'Hi {{ name }}', html: '<p>{{ name }}</p>', text: null, variables: [] },
    variables: JSON.stringify({ name }),
  });
const bad = (
  html: string,
  x: unknown,
  more: { tenantId?: string; key?: string | null } = {},
): Promise<RenderResult> =>
  pool.render({
    tenantId: more.tenantId ?? 'bad',
    key: more.key === undefined ? 'bad 1' : more.key,
    content: { subject: 's', html, text: null, variables: [] },
    variables: JSON.stringify({ x }),
  });
const many = Array.from({ length: 3000 }, (_, i) => i);

test('renders in order of asking, each with its own variables', async () => {
  const results = await Promise.all(Array.from({ length: 500 }, (_, i) => good('good', `n${i}`)));
  results.forEach((result, i) =>
    expect(result).toEqual({ ok: true, subject: `Hi n${i}`, html: `<p>n${i}</p>`, text: '' }),
  );
});

test('endless templates of many tenants fail, and delay neither the caller nor templates that are known', async () => {
  await good();
  const loop = watchEventLoop();
  let running = true;
  const hostile = Promise.all(
    Array.from({ length: 16 }, (_, i) =>
      bad(NESTED, many, { tenantId: `bad${i % 4}`, key: `bad${i % 4} 1` }),
    ),
  ).finally(() => (running = false));
  let meanwhile = 0;
  while (running) {
    expect(await good()).toMatchObject({ ok: true });
    meanwhile++;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (const result of await hostile)
    expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/takes longer than \d+ ms/) });
  expect(await loop.stop()).toBeLessThan(RENDER_LIMIT_MS); // as long as one of them would hold it
  expect(meanwhile).toBeGreaterThan(40);
});

test('what the engine cannot interrupt is killed with its worker', async () => {
  const result = await bad(ONE_OUTPUT, 'a'.repeat(900_000), { key: null });
  expect(result).toEqual({ ok: false, reason: `takes longer than ${HARD_LIMIT_MS} ms to render` });
  expect(await good()).toMatchObject({ ok: true });
});

test('a template that was fast and then is not: those beside it still get their mail', async () => {
  const turning = (x: unknown) => bad(NESTED, x, { key: 'turning 1', tenantId: 'turning' });
  expect(await turning([1])).toMatchObject({ ok: true });
  await good();
  const results = await Promise.all([turning(many), ...Array.from({ length: 20 }, () => good())]);
  expect(results[0]).toMatchObject({ ok: false });
  for (const result of results.slice(1)) expect(result).toMatchObject({ ok: true });
  expect(await turning([1])).toMatchObject({ ok: true });
});

test('a tenant whose templates never end is refused for a while, others are not', async () => {
  for (let i = 0; i < 10; i++) await bad(NESTED, many, { key: null });
  expect(await bad(NESTED, many, { key: 'bad 9' })).toMatchObject({
    reason: expect.stringMatching(/repeatedly/),
  });
  expect(await good('newcomer')).toMatchObject({ ok: true });
});

test('on closing, waiting callers get an error that blames the service, not the template', async () => {
  const waiting = [good(), good(), bad(NESTED, many)].map((one) =>
    one.catch((error: Error) => error.message),
  );
  await pool.close();
  for (const answer of await Promise.all(waiting)) expect(answer).toMatch(/stopping/);
});
