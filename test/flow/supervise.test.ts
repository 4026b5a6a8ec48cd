import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { freePort } from '../../local/servers/free-port.ts';
import { isAlive } from '../../local/servers/pid-file.ts';
import { startAndWait } from '../../local/servers/private-server.ts';
import { supervise, type ProcessSpec } from '../../local/servers/supervise.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';
import { SERVICES } from '../../local/start/processes.ts';
import { startServices } from '../../local/start/start-all.ts';
import { waitUntil } from '../harness/wait.ts';
import { tempFolder } from '../harness/temp-folder.ts';

async function setup(
  script: string,
): Promise<{ spec: ProcessSpec; deps: Parameters<typeof supervise>[1]; lines: string[] }> {
  const folder = await tempFolder();
  const watchdog = startWatchdog();
  onTestFinished(() => watchdog.close());
  const lines: string[] = [];
  const spec: ProcessSpec = {
    name: 'thing',
    command: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    stopSignal: 'SIGTERM',
    stopLimitMs: 300,
    logFile: join(folder, 'thing.log'),
    pidFile: join(folder, 'thing.pid'),
  };
  return { spec, deps: { watchdog, log: (line) => lines.push(line) }, lines };
}

test('a process that ends is started again, and its new pid is reported', async () => {
  const { spec, deps, lines } = await setup('echo started; exec sleep 60');
  const pids: number[] = [];
  const supervised = await supervise(spec, { ...deps, onStart: (pid) => pids.push(pid) });
  supervised.ready();
  const saidSoFar = () => readFile(spec.logFile, 'utf8');
  await waitUntil(async () => (await saidSoFar()) === 'started\n');
  process.kill(supervised.pid(), 'SIGKILL');
  await waitUntil(() => pids.length === 2);
  await waitUntil(async () => (await saidSoFar()) === 'started\nstarted\n');
  expect(lines[0]).toMatch(/^thing ended \(SIGKILL\); starting it again in 250 ms/);
  await supervised.stop();
  expect(pids.some(isAlive)).toBe(false);
});

test('a process that ends before it is ready fails the start with its last lines', async () => {
  const { spec, deps } = await setup('echo the port is taken >&2; exit 3');
  await expect(startAndWait(spec, deps, async () => false)).rejects.toThrow(
    /ended at once \(code 3\)[^]*port is taken/,
  );
});

test('a service that cannot start is reported while the others still wait for it, and they are stopped', async () => {
  const root = await tempFolder();
  const { deps } = await setup('');
  for (const name of SERVICES) await mkdir(join(root, name));
  await writeFile(join(root, 'sender/main.ts'), "console.error('the port is taken'); process.exit(3);");
  for (const name of ['api', 'inbound', 'scheduler'])
    await writeFile(join(root, `${name}/main.ts`), 'setInterval(() => {}, 1_000);');
  const env = { METRICS_PORT: `${await freePort()}` };
  const starting = startServices({ ...deps, root, folder: root }, env, []);
  await expect(starting).rejects.toThrow(/^sender ended at once \(code 3\)[^]*the port is taken/);
  for (const name of SERVICES) {
    const pid = Number(await readFile(join(root, `${name}.pid`), 'utf8').catch(() => '0'));
    expect(pid === 0 || !isAlive(pid), name).toBe(true);
  }
});

test('a process that does not heed its signal is stopped by force', async () => {
  const { spec, deps } = await setup("trap '' TERM; while :; do sleep 0.05; done");
  const supervised = await supervise(spec, deps);
  await supervised.stop();
  expect(isAlive(supervised.pid())).toBe(false);
});

test('what an earlier run left over is stopped first', async () => {
  const first = await setup('exec sleep 60');
  const left = await supervise(first.spec, first.deps);
  const second = await supervise(first.spec, first.deps);
  expect(isAlive(left.pid())).toBe(false);
  await second.stop();
});

test('a watchdog that is killed is replaced, and the new one knows the list', async () => {
  const { spec, deps } = await setup('exec sleep 60');
  const supervised = await supervise(spec, deps);
  const before = deps.watchdog.pid()!;
  process.kill(before, 'SIGKILL');
  await waitUntil(() => deps.watchdog.pid() !== before);
  deps.watchdog.close(); // as if we were gone
  await waitUntil(() => !isAlive(supervised.pid()));
  await supervised.stop();
});

test('what is frozen is stopped in good order, and what works in a folder of the watchdog', async () => {
  const { spec, deps } = await setup('exec sleep 60');
  const supervised = await supervise(spec, deps);
  const cwd = await tempFolder();
  deps.watchdog.addFolder(cwd);
  const stranger = spawn('sleep', ['60'], { cwd });
  const ended = once(stranger, 'exit');
  for (const pid of [supervised.pid(), stranger.pid!]) process.kill(pid, 'SIGSTOP');
  deps.watchdog.close(); // as if we were gone
  expect(await supervised.failedStart).toBe('SIGTERM');
  expect(await ended).toEqual([null, 'SIGINT']);
  await supervised.stop();
});

test('a pid file that is no pid file does not matter', async () => {
  const { spec, deps } = await setup('exec sleep 60');
  await writeFile(spec.pidFile, 'nonsense');
  const supervised = await supervise(spec, deps);
  await supervised.stop();
});
