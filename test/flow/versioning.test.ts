// A route that is being retired says so in every answer and in its documentation, for as long as was promised.

import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createFetch } from '../../api/app.ts';
import type { ApiEnv } from '../../api/exchange.ts';
import { DEPRECATION_NOTICE_DAYS, noticeDays } from '../../api/rest/deprecation.ts';
import { mountRest } from '../../api/rest/router.ts';
import { ROUTES } from '../../api/rest/routes.ts';
import type { ListeningServer } from '../../api/servers.ts';
import { call, createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { startTestHttps } from '../harness/test-https.ts';

const RETIRED = { since: '2027-01-10', sunset: '2027-05-01', successor: '/api/v2/whoami' };

let world: ApiWorld;
let server: ListeningServer;

beforeAll(async () => {
  world = await createApiWorld();
  const app = new Hono<ApiEnv>();
  const whoami = ROUTES.find((route) => route.path === '/whoami')!;
  const other = ROUTES.find((route) => route.path === '/templates' && route.method === 'GET')!;
  mountRest(app, world.deps, [{ ...whoami, deprecated: RETIRED }, other]);
  server = await startTestHttps(createFetch(world.deps, app));
});
afterAll(async () => {
  await server?.close();
  await world?.close();
});

const ask = (path: string, key?: string) => call(server.port, 'GET', `/api/v1${path}`, { key });

test('answers of a deprecated route carry Deprecation, Sunset and what to use instead; refusals too', async () => {
  const { key } = await world.makeKey({ scopes: ['templates:read'] });
  for (const answer of [await ask('/whoami', key), await ask('/whoami')]) {
    expect(answer.headers).toMatchObject({
      deprecation: `@${Date.UTC(2027, 0, 10) / 1000}`,
      sunset: 'Sat, 01 May 2027 00:00:00 GMT',
      link: '</api/v2/whoami>; rel="successor-version"',
    });
  }
  expect((await ask('/templates', key)).headers).not.toHaveProperty('deprecation');
});

test('the documentation marks it', async () => {
  const { paths } = (await ask('/openapi.json')).json;
  expect(paths['/whoami'].get).toMatchObject({ deprecated: true });
  expect(Object.keys(paths['/whoami'].get.responses['200'].headers)).toContain('Sunset');
  expect(paths['/whoami'].get.description).toContain('removed on 2027-05-01');
  expect(paths['/templates'].get).not.toHaveProperty('deprecated');
});

test('every deprecated route gives the promised notice', () => {
  expect(noticeDays(RETIRED)).toBe(111);
  for (const { deprecated } of ROUTES) {
    if (deprecated) expect(noticeDays(deprecated)).toBeGreaterThanOrEqual(DEPRECATION_NOTICE_DAYS);
  }
});
