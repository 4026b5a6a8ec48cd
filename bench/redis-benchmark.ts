// redis-benchmark with the gate's own script: the fastest that this Redis can decide.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createClient } from 'redis';

const run = promisify(execFile);
const GATE_SCRIPT = `${import.meta.dirname}/../sender/accept/gate/gate.lua`;
const CAP = '1000000000';
const KEEP_SECONDS = '3600';
const FRESH_SHARE = 0.99;
const RANDOM_RANGE = '2000000000'; // redis-benchmark reads it as an int of 32 bits: a larger one makes every number 0

/** Script calls per second with `messages` fresh ids each, `pipeline` calls in one write per connection. */
export async function measureRedis(options: {
  redisUrl: string;
  keyPrefix: string;
  calls: number;
  connections: number;
  pipeline: number;
  messages: number;
}): Promise<number> {
  const { calls, connections, pipeline } = options;
  const day = `${options.keyPrefix}:gate:{benchmark}:day`;
  const sha1 = await prepare(options.redisUrl, day);
  const ids = Array.from({ length: options.messages }, (_, n) => {
    return `t${n.toString(16).padStart(8, '0')}-0000-7000-8000-__rand_int__`; // as long as a UUID once expanded
  });
  const { stdout } = await run('redis-benchmark', [
    ...connection(options.redisUrl),
    ...`--csv -r ${RANDOM_RANGE} -n ${calls} -c ${connections} -P ${pipeline}`.split(' '),
    ...`EVALSHA ${sha1} 2 ${day} ${day}:ids ${CAP} ${CAP} ${KEEP_SECONDS}`.split(' '),
    ...ids,
  ]);
  await expectAdmitted(options.redisUrl, day, calls * options.messages);
  return readCallsPerSecond(stdout);
}

// A known id is the shorter way through the script, at nearly twice the rate: what repeats ids measures something else.
async function expectAdmitted(url: string, day: string, asked: number): Promise<void> {
  const client = await createClient({ url }).connect();
  const used = Number(await client.hGet(day, 'used'));
  await client.close();
  if (used < asked * FRESH_SHARE)
    throw new Error(`redis-benchmark repeated ids: ${used} of ${asked} were new`);
}

/** The second column of redis-benchmark's CSV. */
export function readCallsPerSecond(csv: string): number {
  const last = csv.trim().split('\n').at(-1) ?? '';
  const cells = last.match(/"(?:[^"]|"")*"/g) ?? [];
  // The name of the test is the whole command and may hold quotes; the figures are the last seven cells.
  const rate = Number(cells.at(-7)?.replaceAll('"', ''));
  if (!(rate > 0)) throw new Error(`redis-benchmark said: ${csv.slice(0, 300)}`);
  return rate;
}

// Its -u accepts no URL without a user name.
function connection(redisUrl: string): string[] {
  const { hostname, port, password } = new URL(redisUrl);
  return ['-h', hostname, '-p', port, ...(password === '' ? [] : ['-a', decodeURIComponent(password)])];
}

async function prepare(redisUrl: string, day: string): Promise<string> {
  const source = await readFile(GATE_SCRIPT, 'utf8');
  const client = createClient({ url: redisUrl });
  await client.connect();
  await client.scriptLoad(source);
  await client.del([day, `${day}:ids`]);
  await client.hSet(day, { used: 0, reserved: 0, bulk: 0 });
  await client.close();
  return createHash('sha1').update(source).digest('hex');
}
