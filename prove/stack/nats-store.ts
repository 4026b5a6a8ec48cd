// NATS, with everything that can happen to it.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { sendSignal } from '../../local/servers/pid-file.ts';
import { greets } from './greets.ts';
import type { NatsStore } from './stack.ts';

/** Makes the store. Its data lie in `folder` (local/servers/nats.ts). */
export function natsStore(deps: { url: string; pid: () => number; folder: string }): NatsStore {
  const { url, pid, folder } = deps;
  return {
    pid,
    kill: () => sendSignal(pid(), 'SIGKILL'),
    freeze: () => sendSignal(pid(), 'SIGSTOP'),
    thaw: () => sendSignal(pid(), 'SIGCONT'),
    isUp: () => greets(Number(new URL(url).port), new URL(url).hostname),
    erase: async () => {
      sendSignal(pid(), 'SIGSTOP'); // it writes nothing any more
      for (const name of await readdir(folder))
        await rm(join(folder, name), { recursive: true, force: true });
      sendSignal(pid(), 'SIGKILL');
    },
  };
}
