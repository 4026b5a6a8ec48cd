// The dashboard's files as api serves them, from a small build of our own.

import { mkdtempSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { mountDashboard } from '../../api/dashboard/serve-dashboard.ts';
import type { ApiEnv } from '../../api/exchange.ts';
import { mountRest } from '../../api/rest/router.ts';
import type { ListeningServer } from '../../api/servers.ts';
import { call, createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { startTestHttps } from '../harness/test-https.ts';

const SCRIPT = `console.log("${'hello '.repeat(200)}")`;
const HTML = { headers: { accept: 'text/html,application/xhtml+xml' } };
let world: ApiWorld;
let server: ListeningServer;
const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
const get = (path: string, ask: { headers?: Record<string, string> } = {}) =>
  call(server.port, 'GET', path, ask);

beforeAll(async () => {
  world = await createApiWorld();
  const app = new Hono<ApiEnv>();
  mountDashboard(app, world.deps, folder);
  mountRest(app, world.deps, []);
  server = await startTestHttps((request, env) => app.fetch(request, env));
});
afterAll(async () => {
  await server.close();
  await world.close();
  rmSync(folder, { recursive: true });
});

test('without a build the page says how to make one, and one that comes is seen', async () => {
  const missing = await get('/', HTML);
  expect(missing.status).toBe(503);
  expect(missing.text).toContain('npm run dashboard:build');
  writeBuild('first');
  expect((await get('/', HTML)).text).toContain('first');
  writeBuild('second');
  utimesSync(join(folder, 'index.html'), 1_000_000, 1_000_000);
  expect((await get('/', HTML)).text).toContain('second');
});

test('the page is never kept, has a strict policy, and a nonce of its own each time', async () => {
  const [one, two] = [await get('/'), await get('/campaigns/new', HTML)];
  for (const { status, headers, text } of [one, two]) {
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['strict-transport-security']).toContain('max-age=');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain(`'nonce-${/nonce="([^"]+)"/.exec(text)?.[1]}'`);
  }
  expect(one.text).not.toBe(two.text);
});

test('assets are kept for ever and come compressed to those who accept it', async () => {
  const plain = await get('/assets/app-1a2b.js');
  expect(plain).toMatchObject({ status: 200, text: SCRIPT });
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(plain.headers['content-encoding']).toBeUndefined();
  const packed = await get('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip, br;q=0' } });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.headers['vary']).toBe('accept-encoding');
});

test('other API surfaces keep their paths, and nothing outside of the build is served', async () => {
  for (const path of ['/api/v1/nothing', '/api/', '/saml/x', '/t/o/x', '/u/x', '/healthz/x']) {
    expect([path, (await get(path, HTML)).json?.error]).toEqual([path, 'not_found']);
  }
  expect((await get('/campaigns')).status).toBe(404); // a program, not a browser
  expect((await call(server.port, 'POST', '/campaigns', HTML)).status).toBe(404);
  for (const path of [
    '/assets/../../../package.json',
    '/assets/%2e%2e/index.html',
    '/sources.sha256',
    '/assets/',
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test('the frame for foreign HTML runs its own script and nothing else', async () => {
  const closed = await get('/mail-frame', HTML);
  const policy = String(closed.headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'sha256-[\w+/=]+';/);
  expect(policy).toContain('img-src data:;');
  expect(policy).toContain('sandbox allow-scripts');
  expect(policy).not.toContain('allow-same-origin');
  const open = String((await get('/mail-frame/pictures', HTML)).headers['content-security-policy']);
  expect(open).toContain('img-src data: https: http:;');
});

function writeBuild(title: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets/app-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'sources.sha256'), 'x');
  writeFileSync(join(folder, 'index.html'), `<title>${title}</title><meta nonce="__CSP_NONCE__">`);
}
