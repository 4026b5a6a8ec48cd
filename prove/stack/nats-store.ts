// NATS, with everything that can happen to it.

import { readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { sendSignal } from '../../local/servers/pid-file.ts';
import type { NatsStore } from './stack.ts';

const ANSWER_LIMIT_MS = 1_000;

/** Makes the store. Its data lie in `folder` (local/servers/nats.ts). */
export function natsStore(deps: { url: string; pid: () => number; folder: string }): NatsStore {
  const { url, pid, folder } = deps;
  return {
    pid,
    kill: () => sendSignal(pid(), 'SIGKILL'),
    freeze: () => sendSignal(pid(), 'SIGSTOP'),
    thaw: () => sendSignal(pid(), 'SIGCONT'),
    isUp: () => greets(new URL(url)),
    erase: async () => {
      sendSignal(pid(), 'SIGSTOP'); // it writes nothing any more
      for (const name of await readdir(folder))
        await rm(join(folder, name), { recursive: true, force: true });
      sendSignal(pid(), 'SIGKILL');
    },
  };
}

// The server speaks first: INFO {…}.
function greets({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const answer = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.setTimeout(ANSWER_LIMIT_MS, () => answer(false));
    socket.once('data', () => answer(true));
    socket.once('error', () => answer(false));
  });
}
