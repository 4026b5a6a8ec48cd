// 20 MB of a CSV that is as bad as they come, uploaded in pieces and worked off, all in this process: neither the api's
// half nor the scheduler's may hold the event loop for long, since other requests wait for as long.

import { request } from 'node:https';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Loop } from '../../core/base/loop.ts';
import { startImportLoop } from '../../scheduler/slice-loops.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { watchEventLoop } from '../harness/thread-time.ts';
import { waitUntil } from '../harness/wait.ts';

const LIMIT_MS = 400; // of processor time at a stretch; 60 to 110 seen, and a row that is read twice costs seconds
const PIECE_BYTES = 65_536;
const CSV_BYTES = 20 * 1024 * 1024;

let world: ApiWorld;
let loop: Loop;

beforeAll(async () => {
  world = await createApiWorld();
  const { config, db, log } = world.context;
  loop = startImportLoop({ config, db, log });
});
afterAll(async () => {
  await loop?.stop();
  await world?.close();
});

/** Rows with cells of 100 KiB, hundreds of quotes, line breaks in cells, missing cells, no address, unclosed quotes. */
function nastyCsv(): Buffer {
  const rows = [
    (i: number) => `good${i}@example.net,Name ${i},"city ""${i}"""`,
    (i: number) => Array.from({ length: 500 }, (_, n) => `plain${i}-${n}@example.net,N,c`).join('\n'),
    (i: number) => `lines${i}@example.net,"${'a\nb\r\n'.repeat(200)}",x`,
    (i: number) => `quotes${i}@example.net,"${'""'.repeat(3_000)}",x`,
    (i: number) => `long${i}@example.net,${'é'.repeat(50_000)},x`,
    (i: number) => `${'@'.repeat(2_000)}${i},x,y`,
    () => 'too,few',
    (i: number) => `many${i}@example.net${',x'.repeat(5_000)}`,
    () => ','.repeat(3_000),
    () => '\n\n\r\n\r',
  ];
  const parts: string[] = ['email,first_name,city'];
  for (let i = 0, octets = 0; octets < CSV_BYTES / 2; i++) {
    // A quote that stays open swallows 128 KiB each time; a hundred of them end the file.
    const row = i % 500 === 499 ? `open${i}@example.net,"x,y` : rows[i % rows.length]!(i);
    parts.push(row);
    octets += Buffer.byteLength(row) + 1;
  }
  // And good ones in a row that are as large as they may be, of what is longest in JSON.
  const fat = '\\'.repeat(7_000);
  for (let i = 0; i < CSV_BYTES / 2 / fat.length; i++) parts.push(`fat${i}@example.net,N,${fat}`);
  return Buffer.from(parts.join('\n'));
}

async function uploadInPieces(csv: Buffer, key: string): Promise<{ status: number; id: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' };
  const options = { host: '127.0.0.1', port: world.port, method: 'POST', headers, rejectUnauthorized: false };
  const outgoing = request({ ...options, path: '/api/v1/contacts/import' });
  const answered = once(outgoing, 'response');
  for (let at = 0; at < csv.length; at += PIECE_BYTES) {
    if (!outgoing.write(csv.subarray(at, at + PIECE_BYTES))) await once(outgoing, 'drain');
  }
  outgoing.end();
  const [incoming] = await answered;
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return { status: incoming.statusCode, id: JSON.parse(text).data?.id };
}

test('the event loop stays free while 20 MB stream in and are worked off', async () => {
  const csv = nastyCsv();
  const { key, tenantId } = await world.makeKey({ scopes: ['contacts:read', 'contacts:write'] });
  await world.call('GET', '/contacts/imports', { key }); // what is loaded at first use is loaded
  const api = watchEventLoop();
  const made = await uploadInPieces(csv, key);
  const apiMs = await api.stop();
  expect(made.status).toBe(202);
  const scheduler = watchEventLoop();
  const read = async () => {
    const { rows } = await world.context.db.pool.query(
      'select status, total, created, failed from contact_imports where tenant_id = $1',
      [tenantId],
    );
    return rows[0];
  };
  await waitUntil(async () => (await read()).status === 'completed', { limitMs: 60_000 });
  const schedulerMs = await scheduler.stop();
  const { total, created, failed } = await read();
  expect(created).toBeGreaterThan(500);
  expect(failed).toBeGreaterThan(300);
  expect(total).toBe(created + failed);
  expect(apiMs).toBeLessThan(LIMIT_MS);
  expect(schedulerMs).toBeLessThan(LIMIT_MS);
});
