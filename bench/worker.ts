// Child processes of the bench: load generators, sinks and echo servers run in their own, so that what is measured
// is not slowed by what measures. They speak over the IPC channel and end when it closes, however the bench ends.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A running child. */
export interface Worker {
  pid: number;
  /** Asks for one thing and waits for its answer. */
  ask<T>(what: string, input?: unknown): Promise<T>;
  /** Ends it and waits. */
  stop(): Promise<void>;
}

/** What a child can be asked, by name. */
export type Answers = Record<string, (input: never) => unknown>;

interface Question {
  id: number;
  what: string;
  input: unknown;
}

type Reply = { id: number; value: unknown } | { id: number; error: string };

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** Starts `bench/workers/<name>.ts`. */
export function startWorker(name: string): Worker {
  const child = fork(join(import.meta.dirname, 'workers', `${name}.ts`), [], { execArgv: [] });
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  child.on('message', (reply: Reply) => {
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) one?.reject(new Error(`${name}: ${reply.error}`));
    else one?.resolve(reply.value as never);
  });
  const exited = once(child, 'exit');
  child.on('exit', (code, signal) => {
    for (const one of waiting.values()) one.reject(new Error(`${name} ended (${signal ?? code})`));
    waiting.clear();
  });
  return {
    pid: child.pid ?? 0,
    ask: (what, input = null) =>
      new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { resolve, reject });
        child.send({ id: asked, what, input } satisfies Question, (error) => error && reject(error));
      }),
    stop: () => stop(child, exited),
  };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL'); // a child of the bench keeps nothing that is worth a goodbye
  await exited;
}

/** The child's side: answers what the bench asks until the bench is gone. */
export function serveWorker(answers: Answers): void {
  const reply = (message: Reply) => process.send?.(message);
  process.on('message', ({ id, what, input }: Question) => {
    const answer = answers[what];
    void Promise.resolve()
      .then(() => (answer ? answer(input as never) : Promise.reject(new Error(`cannot "${what}"`))))
      .then(
        (value) => reply({ id, value: value ?? null }),
        (error: Error) => reply({ id, error: error.stack ?? String(error) }),
      );
  });
  process.on('disconnect', () => process.exit(0));
}
