import { afterAll, beforeAll, expect, test } from 'vitest';

import { createLogger } from '../../core/base/log.ts';
import type { ParseJob } from '../../inbound/parse/parse-job.ts';
import { createParserPool, type ParserPool } from '../../inbound/parse/parser-pool.ts';

let pool: ParserPool;
const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');

beforeAll(() => {
  pool = createParserPool(
    {
      processes: 2,
      limitMs: 1_500,
      dnsServers: [],
      hostname: 'mx.test',
      file: new URL('../harness/bad-process.ts', import.meta.url),
    },
    log,
  );
});
afterAll(() => pool.close());

const job = (text: string): ParseJob => ({
  raw: Buffer.from(text),
  mailFrom: '',
  helo: '',
  peer: '127.0.0.1',
  content: true,
  report: false,
  aggregate: false,
});

test.each(['hang', 'eat', 'gulp', 'exit', 'throw'])(
  'a message that makes its parser %s is flagged; the others with it are read',
  async (deed) => {
    const good = Array.from({ length: 20 }, (_, i) => pool.parse(job(`good ${i}`)));
    const bad = pool.parse(job(deed));
    const more = Array.from({ length: 20 }, (_, i) => pool.parse(job(`more ${i}`)));
    expect((await bad).content?.parseError).toBe('the parser did not finish');
    const subjects = (await Promise.all([...good, ...more])).map((result) => result.content?.subject);
    expect(subjects).toEqual([
      ...Array.from({ length: 20 }, (_, i) => `good ${i}`),
      ...Array.from({ length: 20 }, (_, i) => `more ${i}`),
    ]);
  },
  30_000,
);

test('a pool that is closed refuses what it gets: the message is not to blame', async () => {
  const closed = createParserPool({ processes: 1, limitMs: 1000, dnsServers: [], hostname: 'mx' }, log);
  await closed.close();
  await expect(closed.parse(job('x'))).rejects.toThrow('No parser is free');
});
