// The Python client: the installed package, and what it promises when the network is bad.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { pythonTools } from '../../sdk/python-tools.ts';
import { skips } from '../harness/needs.ts';
import {
  brokenStream,
  createSdkWorld,
  firstCode,
  firstExample,
  type SdkWorld,
} from '../harness/sdk-world.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const STORY = join(ROOT, 'test/fixtures/sdk-story.py');
const FOLDER = mkdtempSync(join(tmpdir(), 'postrider-sdk-'));
const tools = pythonTools();
const bin = 'bin' in tools ? tools.bin : '';

describe.skipIf(skips('missing' in tools ? tools.missing : null))('the Python client', () => {
  let world: SdkWorld;
  beforeAll(async () => {
    world = await createSdkWorld();
    await run(process.execPath, [join(ROOT, 'sdk/generate.ts')]); // postrider/gen/ is not in Git
    cpSync(join(ROOT, 'sdk/python'), join(FOLDER, 'source'), { recursive: true });
    const options = [
      '--quiet',
      '--no-compile',
      '--no-deps',
      '--no-build-isolation',
      '--target',
      join(FOLDER, 'installed'),
    ];
    await run(join(bin, 'pip'), ['install', ...options, join(FOLDER, 'source')]);
  });
  afterAll(async () => {
    await world.close();
    rmSync(FOLDER, { recursive: true });
  });

  async function python(...args: string[]): Promise<string> {
    const env = { ...world.env, PYTHONPATH: join(FOLDER, 'installed') };
    const running = run(join(bin, 'python'), args, { cwd: FOLDER, env });
    running.child.stderr?.on('data', () => world.proxy.cut()); // when the story says so
    return (await running).stdout;
  }

  async function story(name: string): Promise<unknown> {
    return JSON.parse(await python(STORY, name));
  }

  test('the first example of the README runs as printed', async () => {
    writeFileSync(join(FOLDER, 'send.py'), firstExample('python'));
    expect(await python('send.py')).toMatch(/^Hello \w+ delivered@simulator\.test\n$/);
    expect(await world.countMessages('Hello')).toBe(1);
  });

  test('the code of the first steps runs as printed', async () => {
    writeFileSync(join(FOLDER, 'first.py'), firstCode('client-python', world));
    expect(await python('first.py')).toMatch(/^msg_\w+ queued\n$/);
    expect(await world.countMessages('Hello')).toBe(2);
  });

  test('a 503 for what was stored, half an answer and 429 end in one message under one key', async () => {
    world.proxy.play(
      'say 503',
      'lose half',
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 409, body: '{"ok":false,"error":"idempotency_in_progress","message":"…"}' },
    );
    expect(await story('send')).toEqual(['once', 'UTC', true]);
    const posts = world.proxy.requests.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(5);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await world.countMessages('once')).toBe(1);
  });

  test('retries are bounded, and what is wrong with the request is raised at once', async () => {
    world.proxy.play({ status: 503 }, { status: 503 }, { status: 503 });
    expect(await story('bounded')).toEqual([503, 'unknown']);
    expect(world.proxy.requests).toHaveLength(2);
    world.proxy.play();
    expect(await story('refused')).toEqual([422, 'validation_failed', ['from'], true]);
    expect(world.proxy.requests).toHaveLength(1);
    expect(await story('closed')).toBe('ConnectError');
  });

  test('each item of a batch has the type of its answer', async () => {
    expect(await story('batch')).toEqual(['SendAnswer', 'BatchItemError']);
  });

  test('a list is read over all its pages', async () => {
    world.proxy.play();
    expect(await story('pages')).toEqual([230, true]);
    expect(world.proxy.requests.filter(({ method }) => method === 'GET')).toHaveLength(3);
  });

  test('an answer of a newer server, with a field and a value that are new, is read', async () => {
    const one = { email: 'ann@example.net', reason: 'newer', stream: 'all' };
    const items = [{ ...one, source_message_id: null, more: 1, created_at: '2026-01-31T08:00:00.000Z' }];
    world.proxy.play({ status: 200, body: JSON.stringify({ ok: true, data: { items, next_cursor: null } }) });
    expect(await story('newer')).toEqual(['newer', { more: 1 }]);
  });

  test('followed events come once each, also when the connection breaks', async () => {
    world.proxy.play();
    expect(await story('follow')).toEqual([true, true]);
    const opened = world.proxy.requests.filter(({ path }) => path.includes('/events/stream'));
    expect(opened.length).toBeGreaterThan(1);
  });

  test('an event that breaks off is followed again, and any character may be in one', async () => {
    world.proxy.play(...brokenStream());
    expect(await story('broken')).toEqual([
      ['first \u2028\u0085', 'one'],
      ['second', 'two'],
    ]);
    expect(
      world.proxy.requests.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('after')),
    ).toEqual(['start', 'one']);
  });

  test('events in ascending order are read up to the newest', async () => {
    world.proxy.play();
    expect(await story('feed')).toEqual([true, true]);
  });

  test('contacts come from CSV and from objects', async () => {
    expect(await story('imports')).toEqual(['imp_', 'imp_']);
  });

  test('a webhook is verified, and a changed one refused', async () => {
    expect(await story('webhook')).toEqual(['message.delivered', 'refused']);
  });
});
