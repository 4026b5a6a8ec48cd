// What a figure is worth depends on the machine: this says which one it was.

import { execFile } from 'node:child_process';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';

import { findBinary } from '../local/servers/find-binary.ts';
import { NATS_BINARY } from '../local/servers/nats.ts';
import { POSTGRES_BINARY } from '../local/servers/postgres.ts';
import { REDIS_BINARY } from '../local/servers/redis.ts';

const run = promisify(execFile);
const ROOT = `${import.meta.dirname}/..`;
const GIB = 2 ** 30;

/** Hardware, kernel and versions, by name. `k6` is its path, or null when no part needs it. */
export async function describeMachine(k6: string | null): Promise<Record<string, string>> {
  const servers = await Promise.all(
    [POSTGRES_BINARY, REDIS_BINARY, NATS_BINARY].map(async (spec) => {
      const found = await findBinary(spec);
      return [spec.name, found ? await firstLine(found.path, ['--version']) : 'not found'] as const;
    }),
  );
  return {
    CPU: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores`,
    memory: `${(totalmem() / GIB).toFixed(1)} GiB`,
    kernel: `${type()} ${release()} ${arch()}`,
    node: process.version,
    ...Object.fromEntries(servers),
    ...(k6 === null ? {} : { k6: await firstLine(k6, ['version']) }),
  };
}

/** The commit that was measured, with `+` when the files differ from it. */
export async function describeCommit(): Promise<string> {
  const hash = await firstLine('git', ['rev-parse', '--short=10', 'HEAD']);
  const changed = await firstLine('git', ['status', '--porcelain', '--untracked-files=no', '--', ':!bench']);
  return changed === '' ? hash : `${hash}+`;
}

async function firstLine(command: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await run(command, args, { cwd: ROOT });
    return stdout.split('\n')[0]?.trim() ?? '';
  } catch {
    return 'unknown';
  }
}
