// A Go program over HTTP/2 reads every response that refuses a request, with its status, its body and Retry-After, whether or
// not the api read the body of the request.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { skips } from '../harness/needs.ts';

interface GoAnswer {
  proto: string;
  status: number;
  retryAfter: string;
  body: string;
  error: string;
}

const SOURCE = join(import.meta.dirname, '../fixtures/http2-client.go');
const LARGE = 500_000; // bytes: more than a window of HTTP/2, so that the body is still on its way
const GUESSES = 60; // requests without a key from one address in a minute

function goMissing(): string | null {
  try {
    execFileSync('go', ['version'], { stdio: 'pipe' });
    return null;
  } catch {
    return 'go is not installed (apt-get install golang-go)';
  }
}

describe.skipIf(skips(goMissing()))('a Go program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'http2-go-'));
  const binary = join(folder, 'client');
  let world: ApiWorld;
  beforeAll(async () => {
    execFileSync('go', ['build', '-o', binary, SOURCE], { stdio: 'pipe' });
    world = await createApiWorld();
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function ask(asks: { path: string; key?: string; size: number }[]): Promise<GoAnswer[]> {
    const child = spawn(binary, { stdio: ['pipe', 'pipe', 'inherit'] });
    const requests = asks.map(({ path, key, size }) => ({
      method: 'POST',
      url: `https://127.0.0.1:${world.port}${path}`,
      headers: {
        'Content-Type': 'application/json',
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ text: 'x'.repeat(size) }),
    }));
    child.stdin.end(JSON.stringify(requests));
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return JSON.parse(output) as GoAnswer[];
  }

  test('reads 400, 401, 403, 404 and 413, of REST, GraphQL and an adapter', async () => {
    const { key } = await world.makeKey({ scopes: ['contacts:read'] });
    const wanted: [path: string, key: string | undefined, status: number][] = [
      ['/api/v1/contacts', undefined, 401],
      ['/api/v1/contacts', 'sk_live_wrong', 401],
      ['/api/v1/contacts', key, 403],
      ['/api/v1/nothing', key, 404],
      ['/compat/resend/emails', undefined, 401],
      ['/graphql', undefined, 400],
    ];
    const asks = wanted.flatMap(([path, used, status]) =>
      [10, LARGE].map((size) => ({ path, ...(used !== undefined && { key: used }), size, status })),
    );
    asks.push({ path: '/graphql', size: 2_000_000, status: 413 });
    const answers = await ask(asks);
    expect(answers.map(({ proto, status, error }) => [proto, status, error])).toEqual(
      asks.map(({ status }) => ['HTTP/2.0', status, '']),
    );
    for (const { body } of answers) expect(JSON.parse(body)).toBeTypeOf('object');
  });

  test('reads 429 with Retry-After', async () => {
    const answers = await ask(
      Array.from({ length: GUESSES + 5 }, (_, at) => ({
        path: '/api/v1/contacts',
        size: at % 2 ? 10 : LARGE,
      })),
    );
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    for (const { error, retryAfter, body } of limited) {
      expect(error).toBe('');
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(JSON.parse(body)).toMatchObject({ error: 'rate_limited' });
    }
    expect(answers.filter(({ error }) => error !== '')).toEqual([]);
  });
});
