// Redis, with everything that can happen to it. Its data may vanish or go back in time; PostgreSQL is the record.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from 'redis';

import { sendSignal } from '../../local/servers/pid-file.ts';
import type { RedisStore } from './stack.ts';

const ANSWER_LIMIT_MS = 1_000;

/** Makes the store. Its data lie in `folder` (local/servers/redis.ts). */
export function redisStore(deps: { url: string; pid: () => number; folder: string }): RedisStore {
  const { url, pid, folder } = deps;
  const saved = join(folder, 'saved.rdb');
  const before = join(folder, 'saved-before.rdb');
  return {
    pid,
    kill: () => sendSignal(pid(), 'SIGKILL'),
    freeze: () => sendSignal(pid(), 'SIGSTOP'),
    thaw: () => sendSignal(pid(), 'SIGCONT'),
    isUp: async () => (await ask(url, ['PING'])) === 'PONG',
    flush: async () => void (await ask(url, ['FLUSHALL'])),
    save: async () => {
      await ask(url, ['SAVE']);
      await rename(saved, before).catch(() => {}); // the first one
      await copyFile(join(folder, 'dump.rdb'), saved);
    },
    restore: async () => {
      sendSignal(pid(), 'SIGSTOP');
      await putBack(existsSync(before) ? before : saved, join(folder, 'appendonlydir'));
      sendSignal(pid(), 'SIGKILL');
    },
  };
}

// With an append-only file Redis reads nothing else: the snapshot becomes its base.
async function putBack(saved: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await copyFile(saved, join(folder, 'appendonly.aof.1.base.rdb'));
  await writeFile(join(folder, 'appendonly.aof.manifest'), 'file appendonly.aof.1.base.rdb seq 1 type b\n');
}

async function ask(url: string, command: string[]): Promise<unknown> {
  const client = createClient({ url, socket: { connectTimeout: ANSWER_LIMIT_MS, reconnectStrategy: false } });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.sendCommand(command, { abortSignal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  } finally {
    client.destroy();
  }
}
