// A private rspamd from Debian with the rules that it comes with, a clamd behind its antivirus module, and nothing that asks the
// world: no DNS, no fuzzy storage, no updates, no Redis. Where the package is missing, `rspamdMissing()` says so and the test
// skips, visibly.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../local/servers/free-port.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';
import { waitUntil } from './wait.ts';

/** A running rspamd. */
export interface Rspamd {
  url: string;
  /** Freezes or thaws all of its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills all of them. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after `kill`. */
  start(): Promise<void>;
  log(): string;
  stop(): Promise<void>;
}

const RSPAMD = '/usr/bin/rspamd';
const RULES = '/usr/share/rspamd/rules/rspamd.lua';

/** Text whose message rspamd rejects, wherever it is configured (https://spamassassin.apache.org/gtube/). */
export const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

/** Text that a rule of ours gives 8 points: spam, but not so much that it is rejected. */
export const SUSPICIOUS = 'POSTRIDER-TEST-OF-A-MESSAGE-OF-EIGHT-POINTS';

/** Why the test cannot run here, or null. */
export function rspamdMissing(): string | null {
  return existsSync(RSPAMD)
    ? null
    : 'rspamd is not installed (apt-get install --no-install-recommends rspamd)';
}

/** Starts one on a free port of 127.0.0.1. It does not outlive this process. */
export async function startRspamd(clamdPort: number): Promise<Rspamd> {
  const root = mkdtempSync(join(tmpdir(), 'postrider-rspamd-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(root, 'rspamd.conf'), configuration(root, port, clamdPort));
  writeFileSync(join(root, 'rules.lua'), ruleFile());
  writeFileSync(join(root, 'tlds'), 'test\ncom\n'); // the whole list takes ten seconds to compile
  const watchdog = startWatchdog();
  let ended: Promise<unknown> = Promise.resolve();
  let pids: number[] = [];
  const log = () => (existsSync(join(root, 'log')) ? readFileSync(join(root, 'log'), 'utf8') : '');
  const start = async () => {
    const asRoot = process.getuid?.() === 0 ? ['--insecure'] : []; // it has no rights to give up here
    const child = spawn(RSPAMD, ['--no-fork', ...asRoot, '--config', join(root, 'rspamd.conf')], {
      cwd: root,
      stdio: 'ignore',
    });
    ended = once(child, 'exit');
    watchdog.add(child.pid!, 'SIGTERM');
    const answers = async () => (await fetch(`${url}/ping`).catch(() => null))?.ok === true;
    await waitUntil(answers, { limitMs: 60_000, what: () => `rspamd to answer:\n${log()}` });
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    pids = [child.pid!, ...children.trim().split(/\s+/).map(Number)];
  };
  const send = (signal: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, signal);
  };
  const kill = async () => {
    send('SIGKILL');
    pids = [];
    await ended;
  };
  await start();
  return {
    url,
    signal: send,
    kill,
    start,
    log,
    stop: async () => {
      await kill();
      watchdog.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function configuration(root: string, port: number, clamd: number): string {
  return `options {
  pidfile = "${root}/rspamd.pid";
  rundir = "${root}"; tempdir = "${root}"; dbdir = "${root}"; hs_cache_dir = "${root}";
  control_socket = "${root}/rspamd.sock mode=0600";
  url_tld = "${root}/tlds";
  dns { nameserver = ["127.0.0.1:9"]; timeout = 100ms; retransmits = 1; }
  filters = "";
}
logging { type = "file"; filename = "${root}/log"; level = "info"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }
modules { path = "/usr/share/rspamd/plugins/antivirus.lua"; }
lua = "${root}/rules.lua";
actions { reject = 15; add_header = 6; }
antivirus { clamav { type = "clamav"; servers = "127.0.0.1:${clamd}"; scan_mime_parts = false; symbol = "CLAM_VIRUS"; } }
`;
}

function ruleFile(): string {
  return `dofile("${RULES}")
rspamd_config:register_symbol({
  name = "TEST_SUSPICIOUS", score = 8, type = "normal",
  callback = function(task) return string.find(tostring(task:get_content()), "${SUSPICIOUS}", 1, true) ~= nil end,
})
`;
}
