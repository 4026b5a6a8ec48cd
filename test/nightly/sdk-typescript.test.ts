// The TypeScript client: the packed package in the hands of plain Node, and what it promises when the network is bad.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  createPostrider,
  paginate,
  PostriderError,
  verifyWebhook,
  WebhookVerificationError,
  type Postrider,
} from '../../sdk/typescript/src/index.ts';
import {
  brokenStream,
  createSdkWorld,
  firstCode,
  firstExample,
  type SdkWorld,
} from '../harness/sdk-world.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'sdk/typescript');
const REACT_EXAMPLE = readFileSync(join(PACKAGE, 'examples/react-email.tsx'), 'utf8');
const FOLDER = mkdtempSync(join(tmpdir(), 'postrider-sdk-'));

let world: SdkWorld;
let postrider: Postrider;
beforeAll(async () => {
  world = await createSdkWorld();
  postrider = createPostrider({
    apiKey: world.env['POSTRIDER_API_KEY']!,
    baseUrl: world.proxy.baseUrl,
  });
});
afterAll(async () => {
  await world.close();
  rmSync(FOLDER, { recursive: true });
});

describe('the package', () => {
  beforeAll(async () => {
    const { stdout } = await run(
      'npm',
      ['pack', '--ignore-scripts=false', '--json', '--pack-destination', FOLDER],
      { cwd: PACKAGE },
    );
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string }[];
    const installed = join(FOLDER, 'node_modules/postrider');
    mkdirSync(installed, { recursive: true });
    await run('tar', ['-xzf', join(FOLDER, packed!.filename), '--strip-components=1', '-C', installed]);
    // What the package and its examples depend on, as this repository has it.
    const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const examples = ['react', 'react-dom', '@react-email/render', '@types/react', '@types/node'];
    for (const name of [...Object.keys(dependencies), ...examples]) link(name);
    writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }');
  });

  function link(name: string): void {
    const target = join(FOLDER, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), target);
  }

  test('the first example of the README runs as printed', async () => {
    writeFileSync(join(FOLDER, 'send.mjs'), firstExample('typescript'));
    expect(await output('send.mjs')).toMatch(/^Hello \w+ delivered@simulator\.test\n$/);
    expect(await world.countMessages('Hello')).toBe(1);
  });

  test('the code of the first steps runs as printed', async () => {
    writeFileSync(join(FOLDER, 'first.mjs'), firstCode('client-node', world));
    expect(await output('first.mjs')).toMatch(/^msg_\w+ queued\n$/);
    expect(await world.countMessages('Hello')).toBe(2);
  });

  test('the example with react-email sends what the component renders', async () => {
    const compilerOptions = {
      jsx: ts.JsxEmit.ReactJSX,
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
    };
    const { outputText } = ts.transpileModule(REACT_EXAMPLE, { compilerOptions });
    writeFileSync(join(FOLDER, 'react-email.mjs'), outputText);
    const id = (await output('react-email.mjs')).trim();
    expect(await postrider.getMessageContent({ path: { id } })).toMatchObject({
      html: expect.stringContaining('<h1>Thank you, <!-- -->Ann</h1>'),
      text: expect.stringContaining('€ 12.50'),
    });
  });

  test('its types fit the examples, and find a misspelt field', () => {
    const example = firstExample('typescript');
    writeFileSync(join(FOLDER, 'send.ts'), example);
    writeFileSync(join(FOLDER, 'wrong.ts'), example.replace('subject:', 'subjcet:'));
    writeFileSync(join(FOLDER, 'react-email.tsx'), REACT_EXAMPLE);
    writeFileSync(
      join(FOLDER, 'webhook.ts'),
      `import { verifyWebhook } from 'postrider';
       const event = verifyWebhook('', {}, '');
       if (event.type === 'message.bounced') console.log(event.data.recipient.length);`,
    );
    writeFileSync(
      join(FOLDER, 'lists.ts'),
      `import { createPostrider, paginate } from 'postrider';
       const postrider = createPostrider();
       for await (const { status } of paginate(postrider.listMessages, { query: { tag: 'welcome' } })) status.length;
       for await (const { url } of paginate(postrider.listWebhooks)) url.length;
       for await (const { id } of paginate(postrider.listWebhookDeliveries, { path: { id: 'whk_1' } })) id.length;
       paginate(postrider.listMessages, { query: { tga: 'welcome' } });`,
    );
    expect(typeErrors('send.ts', 'wrong.ts', 'react-email.tsx', 'webhook.ts', 'lists.ts')).toEqual([
      expect.stringMatching(/^lists\.ts: .*'tga'/s),
      expect.stringMatching(/^wrong\.ts: .*'subjcet'/s),
    ]);
  });

  // The Node of the system, not the one of this repository.
  async function output(file: string): Promise<string> {
    const path = process.env['PATH']!.split(':').filter((folder) => !folder.includes('node_modules'));
    const env = { ...world.env, PATH: path.join(':') };
    return (await run('node', [file], { cwd: FOLDER, env })).stdout;
  }

  function typeErrors(...files: string[]): string[] {
    const program = ts.createProgram(
      files.map((file) => join(FOLDER, file)),
      {
        jsx: ts.JsxEmit.ReactJSX,
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        types: ['node'],
        typeRoots: [join(FOLDER, 'node_modules/@types')],
        strict: true,
        noEmit: true,
        skipLibCheck: true,
      },
    );
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) =>
          `${basename(file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
  }
});

describe('retries', () => {
  const send = (subject: string) =>
    postrider.sendMessage({
      body: { from: `shop@${world.account.domain}`, to: 'ann@sink.test', subject, text: 'Hello' },
    });

  test('a 503 for what was stored, half an answer and 429 end in one message under one key', async () => {
    world.proxy.play(
      'say 503',
      'lose half',
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 409, body: '{"ok":false,"error":"idempotency_in_progress","message":"…"}' },
    );
    const started = performance.now();
    const sent = await send('once');
    expect(performance.now() - started).toBeGreaterThan(1000); // the Retry-After
    const keys = world.proxy.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
    expect(await world.countMessages('once')).toBe(1);
    expect(await postrider.getMessage({ path: { id: sent.id } })).toMatchObject({ subject: 'once' });
  });

  test('what is wrong with the request is thrown at once, with the fields', async () => {
    world.proxy.play();
    const refused: unknown = await postrider
      .sendMessage({ body: { from: 'nobody', to: 'ann@sink.test', subject: 'x', text: 'x' } })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PostriderError);
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed', requestId: expect.any(String) });
    expect((refused as PostriderError).details).toContainEqual({ path: 'from', message: expect.any(String) });
    expect(world.proxy.requests).toHaveLength(1);
  });

  test('they are bounded, and end when the caller aborts or is told to wait too long', async () => {
    const down = { status: 503 };
    world.proxy.play(down, down, down);
    const client = createPostrider({ apiKey: 'k', baseUrl: world.proxy.baseUrl, maxRetries: 1 });
    await expect(client.whoami()).rejects.toMatchObject({ status: 503, code: 'unknown' });
    expect(world.proxy.requests).toHaveLength(2);

    world.proxy.play({ status: 429, headers: { 'retry-after': '3600' } });
    await expect(postrider.whoami()).rejects.toMatchObject({ status: 429, retryAfter: 3600 });

    world.proxy.play({ status: 429, headers: { 'retry-after': '50' } });
    const signal = AbortSignal.timeout(200);
    await expect(postrider.whoami({}, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(world.proxy.requests).toHaveLength(1);
  });
});

test('a list is read over all its pages', async () => {
  const emails = Array.from({ length: 230 }, (_, i) => `reader${i}@example.net`);
  await postrider.addSuppressions({ body: { emails } });
  world.proxy.play();
  const found: string[] = [];
  for await (const { email } of paginate(postrider.listSuppressions)) found.push(email);
  expect(found.toSorted()).toEqual(emails.toSorted());
  expect(world.proxy.requests).toHaveLength(3);
});

test('followed events come once each, also when the connection breaks', async () => {
  const begin = await postrider.listEvents({ query: { order: 'asc', after: 'newest' } });
  const send = (subject: string) =>
    postrider.sendMessage({
      body: { from: `shop@${world.account.domain}`, to: 'ann@sink.test', subject, text: 'Hello' },
    });
  const stop = new AbortController();
  const followed: string[] = [];
  world.proxy.play();
  const sent = [await send('followed 1')];
  for await (const { event, cursor } of postrider.followEvents({
    after: begin.next_cursor!,
    types: ['delivered'],
    signal: stop.signal,
  })) {
    followed.push(event.message_id);
    expect(cursor).not.toBe(begin.next_cursor);
    if (followed.length === 3) break;
    world.proxy.cut();
    sent.push(await send(`followed ${followed.length + 1}`));
  }
  expect(followed).toEqual(sent.map(({ id }) => id));
  expect(world.proxy.requests.filter(({ path }) => path.includes('/events/stream')).length).toBeGreaterThan(
    1,
  );

  const waiting = postrider.followEvents({ after: 'newest', signal: stop.signal }).next();
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await expect(postrider.followEvents({ after: 'no cursor' }).next()).rejects.toMatchObject({
    code: 'validation_failed',
  });
});

test('an event that breaks off is followed again, and any character may be in one', async () => {
  world.proxy.play(...brokenStream());
  const seen: unknown[] = [];
  for await (const { event, cursor } of postrider.followEvents({ after: 'start' })) {
    seen.push([event.data, cursor]);
    if (seen.length === 2) break;
  }
  expect(seen).toMatchObject([
    [{ user_agent: 'first \u2028\u0085' }, 'one'],
    [{ user_agent: 'second' }, 'two'],
  ]);
  expect(
    world.proxy.requests.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('after')),
  ).toEqual(['start', 'one']);
});

test('events in ascending order are read up to the newest', async () => {
  world.proxy.play();
  const found: string[] = [];
  for await (const { id } of paginate(postrider.listEvents, { query: { order: 'asc' } })) found.push(id);
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found).size).toBe(found.length);
});

test('CSV goes in as text, a source comes out as bytes', async () => {
  const imported = await postrider.importContacts({ body: 'email,first_name\nann@example.net,Ann\n' });
  expect(imported).toMatchObject({ id: expect.stringMatching(/^imp_/) });
  const sent = await postrider.sendMessage({
    body: { from: `shop@${world.account.domain}`, to: 'bob@sink.test', subject: 'bytes', text: 'Hello' },
  });
  const source = await postrider.getMessageSource({ path: { id: sent.id } });
  expect(Buffer.from(source).toString()).toContain('Subject: bytes\r\n');
});

test('a webhook is verified, and a changed one refused', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
  const body = JSON.stringify({
    type: 'message.delivered',
    timestamp: '2026-01-31T08:00:00Z',
    data: { id: 'evt_1' },
  });
  const now = new Date();
  const headers = {
    'Webhook-Id': 'evt_1',
    'Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
    'Webhook-Signature': new Webhook(secret).sign('evt_1', now, body),
  };
  expect(verifyWebhook(body, headers, secret).data['id']).toBe('evt_1');
  expect(verifyWebhook(body, new Headers(headers), secret).type).toBe('message.delivered');
  expect(() => verifyWebhook(body.replace('evt_1', 'evt_2'), headers, secret)).toThrow(
    WebhookVerificationError,
  );
});
