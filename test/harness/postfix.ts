// A private Postfix from Debian: as a receiving mail server that delivers to a Maildir, or as a relay. It needs root and the package
// `postfix`; where either is missing, `postfixMissing()` says so and the test skips, visibly.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../local/servers/free-port.ts';
import { startWatchdog } from '../../local/servers/watchdog.ts';
import { SELF_SIGNED } from './certificate.ts';

/** A running Postfix. */
export interface Postfix {
  port: number;
  /** Raw messages in its Maildir, as stored (LF line ends, as Unix mailboxes have). */
  mails(): Buffer[];
  /** What it logged so far. */
  log(): string;
  stop(): void;
}

/** An address on which a Postfix listens, with settings of its own (postconf(5)). */
export interface PostfixHost {
  address: string;
  settings?: Record<string, string>;
}

const POSTFIX = '/usr/sbin/postfix';

/** Why the test cannot run here, or null. */
export function postfixMissing(): string | null {
  if (!existsSync(POSTFIX)) return 'Postfix is not installed (apt-get install postfix)';
  return process.getuid?.() === 0 ? null : 'Postfix needs root';
}

/**
 * Starts Postfix for some domains, on a free port of 127.0.0.1 unless told otherwise. It offers STARTTLS, and does not
 * outlive this process.
 */
export async function startPostfix(
  domains: string[],
  hosts: PostfixHost[] = [{ address: '127.0.0.1' }],
  port?: number,
): Promise<Postfix> {
  const at = port ?? (await freePort());
  const { root, stop, log } = run(
    (folder) => mainCf(folder, domains),
    masterCf(hosts, at),
    (folder) => {
      mkdirSync(join(folder, 'mail'));
      chmodSync(join(folder, 'mail'), 0o777);
      writeFileSync(join(folder, 'etc/key.pem'), SELF_SIGNED.key, { mode: 0o600 });
      writeFileSync(join(folder, 'etc/cert.pem'), SELF_SIGNED.cert);
    },
  );
  const inbox = join(root, 'mail/box/new');
  return {
    port: at,
    mails: () => (existsSync(inbox) ? readdirSync(inbox).map((file) => readFileSync(join(inbox, file))) : []),
    log,
    stop,
  };
}

/** A Postfix that passes on what it gets. */
export interface PostfixRelay {
  port: number;
  /** Its queue, configuration and log. */
  folder: string;
  /** Starts it again, after its processes were killed. */
  start(): void;
  log(): string;
  stop(): void;
}

/** Starts one on a free port of 127.0.0.1; `settings` (postconf(5)) say where to and how. It does not outlive this process. */
export async function startRelay(settings: Record<string, string>): Promise<PostfixRelay> {
  const port = await freePort();
  const own = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  const { root, ...control } = run((folder) => relayCf(folder) + own.join(''), relayMasterCf(port));
  return { port, folder: root, ...control };
}

function run(
  main: (root: string) => string,
  master: string,
  prepare: (root: string) => void = () => {},
): { root: string; start(): void; log(): string; stop(): void } {
  const root = mkdtempSync(join(tmpdir(), 'postrider-postfix-'));
  chmodSync(root, 0o755); // Postfix's own users walk through it
  for (const folder of ['etc', 'spool', 'data']) mkdirSync(join(root, folder));
  execFileSync('chown', ['postfix', join(root, 'data')]);
  prepare(root);
  writeFileSync(join(root, 'etc/main.cf'), main(root));
  writeFileSync(join(root, 'etc/master.cf'), master);
  const control = (command: string) =>
    execFileSync(POSTFIX, ['-c', join(root, 'etc'), command], { stdio: 'pipe' });
  const watchdog = startWatchdog();
  const start = () => {
    control('start');
    watchdog.add(Number(readFileSync(join(root, 'spool/pid/master.pid'), 'utf8')), 'SIGTERM');
  };
  start();
  return {
    root,
    start,
    log: () => readFileSync(join(root, 'log'), 'utf8'),
    stop: () => {
      control('abort');
      watchdog.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A policy service of Postfix (SMTPD_POLICY_README) that answers what the test says. */
export interface PolicyService {
  /** As restrictions name it. */
  name: string;
  close(): void;
}

/** Starts one. `decide` gets the attributes of a request and gives an action of access(5). */
export async function startPolicyService(
  decide: (attributes: Map<string, string>) => Promise<string> | string,
): Promise<PolicyService> {
  const server = createServer((socket) => {
    let waiting = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      waiting += chunk.toString();
      for (let end = waiting.indexOf('\n\n'); end >= 0; end = waiting.indexOf('\n\n')) {
        const lines = waiting.slice(0, end).split('\n');
        waiting = waiting.slice(end + 2);
        const attributes = new Map(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string]));
        void Promise.resolve(decide(attributes)).then((action) => socket.write(`action=${action}\n\n`));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { name: `inet:127.0.0.1:${port}`, close: () => void server.close() };
}

function mainCf(root: string, domains: string[]): string {
  return `compatibility_level = 3.6
queue_directory = ${root}/spool
data_directory = ${root}/data
myhostname = mx.${domains[0]}
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
maillog_file = ${root}/log
maillog_file_prefixes = ${root}
virtual_mailbox_domains = ${domains.join(', ')}
virtual_mailbox_base = ${root}/mail
virtual_mailbox_maps = static:box/
virtual_minimum_uid = 100
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
smtpd_relay_restrictions = reject_unauth_destination
smtpd_tls_security_level = may
smtpd_tls_received_header = yes
smtpd_tls_cert_file = ${root}/etc/cert.pem
smtpd_tls_key_file = ${root}/etc/key.pem
`;
}

// Only what receiving needs; nothing of it may send mail anywhere.
function masterCf(hosts: PostfixHost[], port: number): string {
  const listeners = hosts.map(({ address, settings = {} }) => {
    const options = Object.entries(settings).map(([name, value]) => ` -o { ${name} = ${value} }`);
    return `${address}:${port} inet n - n - - smtpd${options.join('')}\n`;
  });
  return `${listeners.join('')}tlsmgr unix - - n 1000? 1 tlsmgr
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
virtual unix - n n - - virtual
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;
}

function relayCf(root: string): string {
  return `compatibility_level = 3.6
queue_directory = ${root}/spool
data_directory = ${root}/data
myhostname = sending.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
maillog_file = ${root}/log
maillog_file_prefixes = ${root}
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtp_dns_support_level = disabled
smtp_host_lookup = native
default_destination_concurrency_limit = 5
`;
}

function relayMasterCf(port: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
}
