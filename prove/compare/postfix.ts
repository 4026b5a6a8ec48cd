// Postfix of Debian, as a relay to the sink.

import { execFileSync } from 'node:child_process';

import { postfixMissing, startRelay } from '../../test/harness/postfix.ts';
import { killIn, pidsIn, untilItGreets, type MailServer } from './mail-server.ts';
import type { Surroundings } from './compare.ts';

/** Why it cannot run here, or null. */
export { postfixMissing };

/** Starts it. Deferred mail is tried again within seconds, as by the others. */
export async function startPostfix({ outside }: Surroundings): Promise<MailServer> {
  const relay = await startRelay({
    relayhost: `[127.0.0.1]:${outside.smtpPort}`,
    minimal_backoff_time: '2s',
    maximal_backoff_time: '2s',
    queue_run_delay: '2s',
    default_destination_concurrency_limit: '100',
    // A destination that failed once is left alone for as long as this.
    transport_retry_time: '2s',
  });
  const version = execFileSync('postconf', ['-d', '-h', 'mail_version'], { encoding: 'utf8' }).trim();
  return {
    name: `Postfix ${version}`,
    login: { port: relay.port },
    pids: () => pidsIn(relay.folder),
    kill: () => killIn(relay.folder),
    restart: () => {
      relay.start();
      return untilItGreets(relay.port);
    },
    stop: async () => relay.stop(),
  };
}
