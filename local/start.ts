// `npm start`: the whole service on one machine, from nothing to a delivered message. Ctrl-C stops it in order, a
// second Ctrl-C by force; whatever kills this process, the watchdog leaves nothing running.

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { monotonicMs, sleep } from '../core/base/clock.ts';
import { ConfigError } from '../core/base/config.ts';
import { releaseStartMemory } from '../core/base/lifecycle.ts';
import { CLOCK_FOLDER } from './clock/moved-clock.ts';
import { MissingServerError } from './servers/install.ts';
import { LockedError } from './servers/lock.ts';
import { isShell, parentOf } from './servers/pid-file.ts';
import { startWatchdog } from './servers/watchdog.ts';
import { banner } from './start/banner.ts';
import { startAll, type StopSteps } from './start/start-all.ts';

const STOP_LIMIT_MS = 9_500; // of the whole way down
const ECHO_MS = 300;
const PARENT_CHECK_MS = 500;

const USAGE = `usage: npm start [-- --clock]

Starts everything on this machine, with stores of its own in .local, and stops it with Ctrl-C.
--clock  another one, in .local/${CLOCK_FOLDER}, whose clock \`npm run clock -- +1d\` moves
Exit codes: 0 stopped, 1 failed, 2 wrong usage`;

const { clock } = readOptions();
const startedAt = monotonicMs();
const root = join(import.meta.dirname, '..');
const watchdog = startWatchdog();
const steps: StopSteps = [];
let stoppingSince: number | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
if (process.env['npm_lifecycle_event'] !== undefined) stopWithNpm(parents());

try {
  const folder = clock ? join(root, '.local', CLOCK_FOLDER) : join(root, '.local');
  const input = { root, folder, env: process.env, watchdog, log: progress, clock };
  const started = await startAll(input, steps);
  process.stdout.write(banner(started, (monotonicMs() - startedAt) / 1000));
  releaseStartMemory();
} catch (error) {
  if (stoppingSince === undefined) {
    process.stderr.write(`\n${explain(error)}\n`);
    stop('the start failed', 1);
  }
}

function readOptions(): { clock: boolean } {
  const options = {
    clock: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    if (values.clock && process.env['DATABASE_URL'])
      throw new Error('--clock needs a PostgreSQL of its own: unset DATABASE_URL');
    if (!values.help) return values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exit(2);
  }
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}

function stop(reason: string, code = 0): void {
  if (stoppingSince !== undefined) return again(stoppingSince);
  stoppingSince = monotonicMs();
  progress(`${reason}: stopping`);
  void Promise.race([undo(), sleep(STOP_LIMIT_MS)]).then(() => {
    progress('stopped');
    watchdog.close(); // it stops what is still there
    process.exit(code);
  });
}

// npm may run us through a shell that hands no signal on, and when killed with -9 it signals nobody: all that can be
// seen is that we, or that shell, have another parent now. Who started npm does not matter: it may go.
function stopWithNpm(before: string): void {
  const look = () => void (stoppingSince === undefined && parents() !== before && stop('npm ended'));
  setInterval(look, PARENT_CHECK_MS).unref();
}

function parents(): string {
  return `${process.ppid} ${isShell(process.ppid) ? parentOf(process.ppid) : ''}`;
}

// One Ctrl-C may arrive twice: from the terminal, and handed on by npm.
function again(since: number): void {
  if (monotonicMs() - since < ECHO_MS) return;
  watchdog.killAll();
  process.exit(1);
}

// Steps are added while a start goes on, so the list is read anew each time.
async function undo(): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop())
    await step().catch((error: unknown) => progress(String(error)));
}

function progress(line: string): void {
  process.stdout.write(`[${((monotonicMs() - startedAt) / 1000).toFixed(1).padStart(5)} s] ${line}\n`);
}

function explain(error: unknown): string {
  if (error instanceof LockedError) return `Postrider is ${error.message}. Stop that one first.`;
  if (error instanceof MissingServerError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
