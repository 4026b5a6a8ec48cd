// What the route table promises to routes that are yet to come: access for super-admins, idempotency by the pipeline,
// lists with cursors.

import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import type { ApiEnv } from '../../api/exchange.ts';
import { decodeCursor, UUID_KEY } from '../../api/cursor.ts';
import { pageOf, pageQuery, toPage } from '../../api/rest/page.ts';
import { jsonBody } from '../../api/endpoint.ts';
import { defineRoute } from '../../api/rest/route.ts';
import { serveRoute } from '../../api/rest/serve-route.ts';
import type { ListeningServer } from '../../api/servers.ts';
import { AppError } from '../../core/base/errors.ts';
import { idInput } from '../../core/base/id-input.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { createAdminToken, revokeAdminToken } from '../../core/key/admin-tokens.ts';
import { call, createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { TESTER } from '../harness/actor.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';
import { startTestHttps } from '../harness/test-https.ts';

const notes: string[] = [];
let slow: Promise<void> = Promise.resolve();

const createNote = defineRoute(
  {
    operationId: 'createNote',
    method: 'POST',
    path: '/notes',
    access: 'templates:write',
    group: 'Notes',
    summary: 'Write a note',
    body: jsonBody(z.strictObject({ text: z.string().min(1) })),
    response: z.object({ id: z.string() }),
    status: 201,
  },
  async ({ body, changeId }) => {
    await slow;
    if (body.text === 'refuse') throw new AppError('conflict', 'There is such a note.');
    notes.push(changeId);
    return { data: { id: changeId } };
  },
);

const listNotes = defineRoute(
  {
    operationId: 'listNotes',
    method: 'GET',
    path: '/notes',
    access: 'any',
    group: 'Notes',
    summary: 'List notes',
    query: z.strictObject({ ...pageQuery }),
    response: pageOf(z.object({ id: z.string() })),
    status: 200,
  },
  async ({ query }) => {
    const after = query.after === undefined ? undefined : decodeCursor(query.after, [UUID_KEY])[0];
    const rows = notes.toReversed().filter((id) => after === undefined || id < after);
    return {
      data: toPage(
        rows.slice(0, query.limit + 1),
        query.limit,
        (id) => [id],
        (id) => ({ id }),
      ),
    };
  },
);

const readTenant = defineRoute(
  {
    operationId: 'readTenant',
    method: 'GET',
    path: '/admin/tenants/{id}',
    access: 'admin',
    group: 'Tenants',
    summary: 'Read a tenant',
    params: z.object({ id: idInput('tnt') }),
    response: z.object({ id: z.string(), by: z.string() }),
    status: 200,
  },
  async ({ params, caller }) => ({ data: { id: toId('tnt', params.id), by: caller.kind } }),
);

let world: ApiWorld;
let server: ListeningServer;
let key: string;
beforeAll(async () => {
  world = await createApiWorld();
  ({ key } = await world.makeKey({ scopes: ['templates:write'] }));
  const app = new Hono<ApiEnv>();
  for (const route of [createNote, listNotes, readTenant]) {
    app.on(route.method, route.path.replace('{id}', ':id'), (context) =>
      serveRoute(world.deps, route, context),
    );
  }
  server = await startTestHttps((request, env) => app.fetch(request, env));
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const write = (idempotencyKey: string | null, text = 'hello') =>
  call(server.port, 'POST', '/notes', {
    key,
    body: { text },
    headers: idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
  });

test('one Idempotency-Key, one change; the first answer is repeated', async () => {
  const before = notes.length;
  let release = () => {};
  slow = new Promise((resolve) => (release = resolve));
  const racing = Promise.all([write('a'), write('a'), write('a')]);
  await expect.poll(async () => (await write('a')).json.error).toBe('idempotency_in_progress');
  release();
  const answers = await racing;
  const first = answers.find(({ status, headers }) => status === 201 && !headers['idempotent-replayed']);
  expect(notes.length).toBe(before + 1);
  for (const { status, json, headers } of answers.filter((one) => one !== first)) {
    if (status === 201) expect(headers['idempotent-replayed']).toBe('true');
    else expect(json.error).toBe('idempotency_in_progress');
  }
  const again = await write('a');
  expect(again.json).toEqual(first?.json);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(await write('a', 'other')).toMatchObject({ status: 409, json: { error: 'idempotency_conflict' } });
  expect((await write(null)).json.data.id).not.toBe(first?.json.data.id);
});

test('a refusal is not kept: the key can be used again', async () => {
  expect(await write('b', 'refuse')).toMatchObject({ status: 409, json: { error: 'conflict' } });
  expect((await write('b')).status).toBe(201);
  expect(await write('c', '')).toMatchObject({ status: 422, json: { details: [{ path: 'text' }] } });
});

test('a list pages by cursor; a bad limit, cursor or parameter is 422 naming it', async () => {
  const list = (query: string) => call(server.port, 'GET', `/notes${query}`, { key });
  for (let i = 0; i < 4; i++) await write(null);
  const first = (await list('?limit=2')).json.data;
  const second = (await list(`?limit=2&after=${first.next_cursor}`)).json.data;
  const seen = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
  expect(seen).toEqual(notes.toReversed().slice(0, 4));
  expect((await list('')).json.data.next_cursor).toBeNull();
  for (const [query, path] of [
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=x', 'limit'],
    ['?after=x', 'after'],
    ['?page=2', 'page'],
  ]) {
    expect(await list(query!), query).toMatchObject({ status: 422, json: { details: [{ path }] } });
  }
});

test('admin routes: 401 without a token, 403 with another’s, 404 for a malformed id', async () => {
  const id = toId('tnt', newUuid());
  const { value } = await createAdminToken(world.context, TESTER);
  const read = (token?: string, path = id) =>
    call(server.port, 'GET', `/admin/tenants/${path}`, { key: token });
  expect(await read()).toMatchObject({ status: 401, json: { error: 'unauthorized' } });
  expect(await read(key)).toMatchObject({ status: 403, json: { error: 'forbidden' } });
  expect(await read(value)).toMatchObject({ status: 200, json: { data: { id, by: 'admin' } } });
  expect(await read(value, 'tnt_x')).toMatchObject({ status: 404, json: { error: 'not_found' } });
});

test('an admin token that was revoked or has expired is 401 within a second', async () => {
  const read = async (token: string) =>
    (await call(server.port, 'GET', `/admin/tenants/${toId('tnt', newUuid())}`, { key: token })).status;
  const expires_at = new Date(Date.now() + 60_000).toISOString();
  const revoked = await createAdminToken(world.context, TESTER);
  const expired = await createAdminToken(world.context, TESTER, { expires_at });
  for (const { value } of [revoked, expired]) expect(await read(value)).toBe(200);
  await revokeAdminToken(world.context, TESTER, revoked.tokenId);
  await world.context.db.pool.query('update admin_tokens set expires_at = now() where id = $1', [
    expired.tokenId,
  ]);
  for (const { value } of [revoked, expired])
    await waitUntil(async () => (await read(value)) === 401, WITHIN_A_SECOND);
});
