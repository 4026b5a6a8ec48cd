// What messages say is read without a sender, and however much somebody reads, others are answered meanwhile.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { textFromHtml } from '../../core/mail/compose/text-from-html.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { countChildrenMs, threadMs } from '../harness/thread-time.ts';

const READ = ['transactional:read'];
/** The HTML whose text takes the longest for its length: 0.2 s of processor time. */
const NESTED = '<table><tr><td>'.repeat(8_000);

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const messageOf = (tenantId: string, html: string) =>
  makeMessageRow(world.context.db, tenantId, {
    state: 'delivered',
    content: {
      from: 'shop@example.com',
      to: ['ann@example.net'],
      subject: 'Hello',
      html,
      trackOpens: false,
      trackClicks: false,
    },
  });
const contentPath = (id: string) => `/transactional/${toId('msg', id)}/content`;

test('no sender takes part, and a text that is missing is made from the HTML', async () => {
  const { key, tenantId } = await world.makeKey({ scopes: READ });
  for (const html of ['<p>Short</p>', `<p>Long</p>${'<p>x</p>'.repeat(2_000)}`]) {
    const { status, json } = await world.call('GET', contentPath(await messageOf(tenantId, html)), { key });
    expect([status, json.data?.html], JSON.stringify(json).slice(0, 200)).toEqual([200, html]);
    expect(json.data.text).toMatch(/^(Short|Long)/);
  }
  expect([world.stub.requests, world.stub.batches]).toEqual([[], []]);
});

test('the text of HTML that takes long is made in another process', async () => {
  const [reader, other] = [await world.makeKey({ scopes: READ }), await world.makeKey({ scopes: READ })];
  const paths = await Promise.all(
    Array.from({ length: 20 }, async (_, i) =>
      contentPath(await messageOf(reader.tenantId, `<i>${i}</i>${NESTED}`)),
    ),
  );
  const plain = contentPath(await messageOf(other.tenantId, '<p>Short</p>'));
  const oneTextMs = threadMs(() => textFromHtml(NESTED));
  const elsewhereMs = countChildrenMs();
  let reading = paths.length;
  const reads = paths.map(async (path) => {
    const { status, json } = await world.call('GET', path, reader);
    reading--;
    return [status, json.data?.html.length > 100_000];
  });
  expect((await world.call('GET', plain, other)).status).toBe(200);
  expect(reading).toBeGreaterThan(0);
  expect(await Promise.all(reads)).toEqual(paths.map(() => [200, true]));
  expect(elsewhereMs()).toBeGreaterThan(oneTextMs); // twenty there, which get faster; made here they would cost nothing there
});
