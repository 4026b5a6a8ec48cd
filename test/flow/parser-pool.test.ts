// A message that hurts its parser costs the parser, and no other message more than a fresh one takes to start.

import { afterEach, expect, test } from 'vitest';

import { createLogger, type Logger } from '../../core/base/log.ts';
import type { ParseJob } from '../../inbound/parse/parse-job.ts';
import { createParserPool, type ParserOptions, type ParserPool } from '../../inbound/parse/parser-pool.ts';
import { oddMail } from '../harness/odd-mail.ts';

const silent = createLogger({ LOG_LEVEL: 'silent' }, 'test');

let pool: ParserPool;
afterEach(() => pool.close());

/** Opens a pool of parsers; the list gets a line for each that ended. */
function open(options: Partial<ParserOptions> = {}): { reason: string; jobs: number }[] {
  const ended: { reason: string; jobs: number }[] = [];
  const log = Object.assign(Object.create(silent) as Logger, {
    warn: (line: { reason: string; jobs: number }) => ended.push(line),
  });
  pool = createParserPool(
    {
      processes: 1,
      limitMs: 1_500,
      dnsServers: ['127.0.0.1:9'],
      hostname: 'mx.test',
      file: new URL('../harness/bad-process.ts', import.meta.url),
      ...options,
    },
    log,
  );
  return ended;
}

const job = (text: string): ParseJob => ({
  raw: Buffer.from(text),
  mailFrom: '',
  helo: '',
  peer: '127.0.0.1',
  content: true,
  report: false,
  aggregate: false,
});

test.each(['hang', 'eat', 'gulp', 'exit', 'wait'])(
  'a message that makes its parser %s is tried again alone and flagged; the others with it are read together at once',
  async (deed) => {
    const ended = open();
    const names = Array.from({ length: 30 }, (_, i) => `good ${i}`);
    const [bad, ...good] = await Promise.all([deed, ...names].map((text) => pool.parse(job(text))));
    expect(bad!.content?.parseError).toBe('the parser did not finish');
    expect(good.map(({ content }) => content?.subject)).toEqual(names);
    const readers = good.map(({ content }) => content!.text!.split(' ').map(Number));
    expect(new Set(readers.map(([pid]) => pid)).size).toBe(1);
    expect(Math.min(...readers.map(([, most]) => most!))).toBeGreaterThan(1);
    // The culprit ran with the others, then alone. One that only waits is found after the others were read.
    expect(ended.map(({ jobs }) => jobs)).toEqual([deed === 'wait' ? 1 : 31, 1]);
  },
  30_000,
);

test.each(['throw', 'reject'])('a message whose reader %ss anywhere ends no parser', async (deed) => {
  const ended = open();
  const [bad, good] = await Promise.all([pool.parse(job(deed)), pool.parse(job('good'))]);
  expect(bad.content?.parseError).toBe('it threw: Error: as asked');
  expect(good.content?.subject).toBe('good');
  expect(ended).toEqual([]);
});

test('reports with a part of no type end no parser', async () => {
  const ended = open({ file: new URL('../../inbound/parse/parse-process.ts', import.meta.url) });
  const mail = (place: 'part' | 'status'): ParseJob => ({
    ...job(''),
    raw: oddMail(place, ['Content-Type: ']),
    content: false,
    report: true,
  });
  const results = await Promise.all([
    ...Array.from({ length: 30 }, () => pool.parse(mail('part'))),
    pool.parse(mail('status')),
  ]);
  expect(results.map(({ report }) => report?.kind)).toEqual([
    ...Array.from({ length: 30 }, () => 'other'),
    'dsn',
  ]);
  expect(ended).toEqual([]);
});

test('a pool that is closed refuses what it gets: the message is not to blame', async () => {
  open();
  await pool.close();
  await expect(pool.parse(job('x'))).rejects.toThrow('No parser is free');
});
