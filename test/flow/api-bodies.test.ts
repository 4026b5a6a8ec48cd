// Bodies that are wrong, too large, too deep or never end.

import { request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { watchEventLoop } from '../harness/thread-time.ts';

const MESSAGE = { from: 'shop@example.com', to: 'ann@example.net', subject: 'Hello', text: 'Hello.' };
const MIB = 1_048_576;

let world: ApiWorld;
let key: string;
beforeAll(async () => {
  world = await createApiWorld();
  ({ key } = await world.makeKey());
});
afterAll(() => world.close());

const send = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  world.call('POST', '/transactional/send', { key, raw, headers });

describe('JSON', () => {
  test.each([
    ['no JSON', '{"from": '],
    ['nothing', ''],
    ['a byte that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['100,000 lists in each other', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 objects in each other', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['fifteen million open brackets', Buffer.alloc(15 * MIB, '[')],
    ['a field named twice', JSON.stringify(MESSAGE).replace('{', '{"to":"bob@example.net",')],
    [
      'a field named twice, once escaped',
      JSON.stringify(MESSAGE).replace('{', '{"\\u0074o":"b@example.net",'),
    ],
  ])('%s is 400 invalid_json, soon', async (_what, raw) => {
    const busy = watchEventLoop();
    expect(await send(raw)).toMatchObject({ status: 400, json: { ok: false, error: 'invalid_json' } });
    expect(await busy.stop()).toBeLessThan(2_000);
  });

  test('deep template variables are refused, not walked', async () => {
    const variables = JSON.parse('{"a":'.repeat(20) + '1' + '}'.repeat(20)) as unknown;
    const { text: _, subject: __, ...rest } = MESSAGE;
    const body = { ...rest, template_id: 'tpl_01jd8x4z3kf5t8r9w2m6q7v0ab', variables };
    const answer = await world.call('POST', '/transactional/send', { key, body });
    expect(answer).toMatchObject({ status: 422, json: { details: [{ path: 'variables' }] } });
  });

  test('unknown fields are named', async () => {
    const body = { ...MESSAGE, replyTo: 'x@example.net', carbon: 'bob@example.net' };
    const answer = await world.call('POST', '/transactional/send', { key, body });
    expect(answer).toMatchObject({
      status: 422,
      json: {
        error: 'validation_failed',
        details: [
          { path: 'replyTo', message: 'is not a known field (did you mean reply_to?)' },
          { path: 'carbon', message: 'is not a known field' },
        ],
      },
    });
    expect(answer.json.message).toContain('replyTo');
    const { key: reader } = await world.makeKey({ scopes: ['transactional:read'] });
    const list = await world.call('GET', '/transactional?stauts=queued', { key: reader });
    expect(list.json.details).toEqual([
      { path: 'stauts', message: 'is not a known field (did you mean status?)' },
    ]);
  });

  test.each(['from', 'to', 'subject', 'reply_to'])(
    'a line break in %s cannot add a header',
    async (field) => {
      for (const breaks of ['\r\n', '\n', '\r', '\u2028', '\0']) {
        const body = { ...MESSAGE, [field]: `a@example.com${breaks}Bcc: eve@example.org` };
        const answer = await world.call('POST', '/transactional/send', { key, body });
        expect(answer).toMatchObject({ status: 422, json: { details: [{ path: field }] } });
      }
    },
  );

  test.each([
    { 'X-A': 'b\r\nBcc: eve@example.org' },
    { 'X-A\r\nBcc': 'eve@example.org' },
    { Bcc: 'eve@example.org' },
    { 'DKIM-Signature': 'v=1' },
    { 'Return-Path': '<eve@example.org>' },
    { 'List-Unsubscribe': 'https://example.org' },
    { 'Feedback-ID': 'x' },
  ])('the header %j is refused', async (headers) => {
    const answer = await world.call('POST', '/transactional/send', { key, body: { ...MESSAGE, headers } });
    expect(answer).toMatchObject({ status: 422, json: { details: [{ path: 'headers' }] } });
  });
});

describe('size and type', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonx',
    '',
  ])('Content-Type %j is 415', async (type) => {
    const answer = await send(JSON.stringify(MESSAGE), { 'content-type': type });
    expect(answer).toMatchObject({ status: 415, json: { error: 'unsupported_media_type' } });
  });

  test('a compressed body is 415, and a charset of UTF-8 is fine', async () => {
    expect(await send(JSON.stringify(MESSAGE), { 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
    });
    const type = 'application/json;charset=UTF-8';
    expect(await send(JSON.stringify(MESSAGE), { 'content-type': type })).toMatchObject({ status: 202 });
  });

  test('ten megabytes of attachments go through, more are refused by the field', async () => {
    const attachment = (bytes: number) => ({
      filename: 'a.bin',
      content: Buffer.alloc(bytes).toString('base64'),
    });
    const body = { ...MESSAGE, attachments: [attachment(5 * MIB), attachment(5 * MIB)] };
    expect((await world.call('POST', '/transactional/send', { key, body })).status).toBe(202);
    expect(world.stub.requests.at(-1)?.message?.attachments[1]?.content.length).toBe(5 * MIB);
    body.attachments.push(attachment(1));
    const answer = await world.call('POST', '/transactional/send', { key, body });
    expect(answer).toMatchObject({ status: 422, json: { details: [{ path: 'attachments' }] } });
  });

  test('a body that says it is too large is refused before it is sent', async () => {
    const { status, continued, sentBytes } = await sendSlowly({
      'content-length': String(16 * MIB),
      expect: '100-continue',
    });
    expect({ status, continued, sentBytes }).toEqual({ status: 413, continued: false, sentBytes: 0 });
  });

  test('a body that is small enough is asked for', async () => {
    const body = JSON.stringify(MESSAGE);
    const { status, continued } = await sendSlowly(
      { 'content-length': String(Buffer.byteLength(body)), expect: '100-continue' },
      body,
    );
    expect({ status, continued }).toEqual({ status: 202, continued: true });
  });

  test('a chunked body is refused as soon as it is too large', async () => {
    const { status, sentBytes } = await sendSlowly({ 'transfer-encoding': 'chunked' }, endless());
    expect(status).toBe(413);
    expect(sentBytes).toBeLessThan(40 * MIB);
  });

  test('without the right to send nothing is read', async () => {
    const answer = await sendSlowly({
      'content-length': '1000',
      expect: '100-continue',
      authorization: 'Bearer x',
    });
    expect(answer).toMatchObject({ status: 401, continued: false, sentBytes: 0 });
  });
});

function* endless(): Generator<Buffer> {
  for (let i = 0; i < 1_000; i++) yield Buffer.alloc(MIB / 4, 'a');
}

// Sends the body only when asked to continue (or at once when nothing was expected), and says how much went out.
function sendSlowly(
  headers: Record<string, string>,
  body: string | Iterable<Buffer> = [],
): Promise<{ status: number; continued: boolean; sentBytes: number }> {
  return new Promise((resolve, reject) => {
    let continued = false;
    let sentBytes = 0;
    const outgoing = httpsRequest({
      host: '127.0.0.1',
      port: world.port,
      path: '/api/v1/transactional/send',
      method: 'POST',
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    });
    const write = async () => {
      for (const chunk of typeof body === 'string' ? [Buffer.from(body)] : body) {
        if (outgoing.destroyed || outgoing.closed) return;
        sentBytes += chunk.length;
        await new Promise((done) => outgoing.write(chunk, done));
      }
      outgoing.end();
    };
    outgoing.on('continue', () => {
      continued = true;
      void write();
    });
    outgoing.on('response', (incoming) => {
      incoming.resume();
      resolve({ status: incoming.statusCode ?? 0, continued, sentBytes });
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    if (headers['expect'] === undefined) void write();
    else outgoing.flushHeaders();
  });
}
