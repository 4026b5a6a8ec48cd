// A private Postfix from Debian as a receiving mail server, delivering to a Maildir. It needs root and the package
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
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../local/servers/free-port.ts';

/** A running Postfix. */
export interface Postfix {
  port: number;
  /** Raw messages in its Maildir, as stored (LF line ends, as Unix mailboxes have). */
  mails(): Buffer[];
  stop(): void;
}

const POSTFIX = '/usr/sbin/postfix';

/** Why the test cannot run here, or null. */
export function postfixMissing(): string | null {
  if (!existsSync(POSTFIX)) return 'Postfix is not installed (apt-get install postfix)';
  return process.getuid?.() === 0 ? null : 'Postfix needs root';
}

/** Starts Postfix for one domain on a free port of 127.0.0.1. */
export async function startPostfix(domain: string): Promise<Postfix> {
  const root = mkdtempSync(join(tmpdir(), 'postrider-postfix-'));
  const port = await freePort();
  chmodSync(root, 0o755); // Postfix's own users walk through it
  for (const folder of ['etc', 'spool', 'data', 'mail']) mkdirSync(join(root, folder));
  chmodSync(join(root, 'mail'), 0o777);
  execFileSync('chown', ['postfix', join(root, 'data')]);
  writeFileSync(join(root, 'etc/main.cf'), mainCf(root, domain));
  writeFileSync(join(root, 'etc/master.cf'), masterCf(port));
  const control = (command: string) =>
    execFileSync(POSTFIX, ['-c', join(root, 'etc'), command], { stdio: 'pipe' });
  control('start');
  const inbox = join(root, 'mail/box/new');
  return {
    port,
    mails: () => (existsSync(inbox) ? readdirSync(inbox).map((file) => readFileSync(join(inbox, file))) : []),
    stop: () => {
      control('abort');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function mainCf(root: string, domain: string): string {
  return `compatibility_level = 3.6
queue_directory = ${root}/spool
data_directory = ${root}/data
myhostname = mx.${domain}
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
maillog_file = ${root}/log
maillog_file_prefixes = ${root}
virtual_mailbox_domains = ${domain}
virtual_mailbox_base = ${root}/mail
virtual_mailbox_maps = static:box/
virtual_minimum_uid = 100
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
smtpd_relay_restrictions = reject_unauth_destination
`;
}

// Only what receiving needs; nothing of it may send mail anywhere.
function masterCf(port: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
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
