// Haraka of npm, as a relay to the sink. It is installed into .local when it is asked for: nothing of ours needs it.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../local/servers/free-port.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';
import { killIn, pidsIn, untilItGreets, type MailServer } from './mail-server.ts';
import type { Surroundings } from './compare.ts';

const VERSION = '3.3.4';
const ALL_TO_SINK = (port: number) => `
exports.hook_lookup_rdns = (next) => next(OK, 'localhost');
exports.hook_connect = (next, connection) => { connection.relaying = true; next(); };
exports.hook_rcpt = (next) => next(OK);
exports.hook_get_mx = (next) => next(OK, { priority: 0, exchange: '127.0.0.1', port: ${port} });
`;

/** Installs and starts it. */
export async function startHaraka({
  outside,
}: {
  outside: Pick<Surroundings['outside'], 'smtpPort'>;
}): Promise<MailServer> {
  const program = install();
  const folder = mkdtempSync(join(tmpdir(), 'postrider-haraka-'));
  const port = await freePort();
  cpSync(join(program, '../../config'), join(folder, 'config'), { recursive: true });
  for (const name of ['plugins', 'queue']) mkdirSync(join(folder, name));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('config/smtp.ini', `listen=127.0.0.1:${port}\nnodes=0\n`);
  write('config/plugins', 'to_sink\n');
  write('config/outbound.ini', 'temp_fail_intervals=5s*100\nenable_tls=false\n'); // 5 s is its least
  write('config/log.ini', '[main]\nlevel=error\n');
  write('plugins/to_sink.js', ALL_TO_SINK(outside.smtpPort));
  const watchdog = startWatchdog();
  const restart = async () => {
    const child = spawn(process.execPath, [program, '-c', folder], { cwd: folder, stdio: 'ignore' });
    watchdog.add(child.pid!, 'SIGTERM');
    await untilItGreets(port);
  };
  await restart();
  return {
    name: `Haraka ${VERSION}`,
    login: { port },
    pids: () => pidsIn(folder),
    kill: () => killIn(folder),
    restart,
    stop: async () => {
      await killIn(folder);
      watchdog.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function install(): string {
  const folder = join(import.meta.dirname, '../../.local/compare', `haraka-${VERSION}`);
  const program = join(folder, 'node_modules/Haraka/bin/haraka');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--no-audit', '--no-fund', '--no-save', '--prefix', folder, `Haraka@${VERSION}`];
  execFileSync('npm', args, { stdio: 'ignore' });
  return program;
}
