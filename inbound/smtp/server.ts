// The SMTP server of inbound: one handler per verb, in SMTP order. What is accepted and what is refused is decided in
// on-*.ts.

import type { SMTPServerOptions } from 'smtp-server';
import type pg from 'pg';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import { listenSmtp, type RunningSmtp } from '../../core/smtp-server/listen.ts';
import { createSessionLimits } from '../../core/smtp-server/session-limits.ts';
import type { Found, Receiver } from '../find-recipient.ts';
import type { Scanner } from '../scan-mail.ts';
import { MAX_MESSAGE_BYTES, onData, type InboundStore } from './on-data.ts';
import { onMail } from './on-mail.ts';
import { onRcpt } from './on-rcpt.ts';
import { createRefusedRecipients } from './refused-recipients.ts';

/** What the server needs. */
export interface SmtpDeps {
  config: Pick<
    Config,
    | 'BIND_ADDRESS'
    | 'INBOUND_SMTP_PORT'
    | 'INBOUND_HOSTNAME'
    | 'INBOUND_SESSION_SECONDS'
    | 'INBOUND_IDLE_SECONDS'
    | 'INBOUND_MAX_CONNECTIONS'
    | 'INBOUND_CONNECTIONS_PER_ADDRESS'
  >;
  tls: { key: string | Buffer; cert: string | Buffer };
  /** Of the first bucket, for what there is once. */
  home: pg.Pool;
  /** Where the mail of a bucket is stored. Throws when the database is unavailable. */
  storeOf: (bucket: string) => Promise<InboundStore>;
  log: Logger;
  fail: Fail;
  scanner: Scanner | null;
  findRecipient: (address: string) => Promise<Found>;
}

/** A listening server. */
export interface InboundSmtp extends RunningSmtp {
  /** Sessions under way. */
  sessions(): number;
}

const MAX_RECIPIENTS = 1000; // RFC 5321 section 4.5.3.1.8 asks for 100

/** Starts listening. Port 0 means any free port. */
export async function startSmtp(deps: SmtpDeps): Promise<InboundSmtp> {
  const { config, log } = deps;
  const recipients: WeakMap<object, Receiver> = new WeakMap();
  const refused = createRefusedRecipients({ nowMs: monotonicMs, sleep });
  const limits = createSessionLimits({
    perAddress: config.INBOUND_CONNECTIONS_PER_ADDRESS,
    sessionMs: config.INBOUND_SESSION_SECONDS * 1000,
  });
  const listen = {
    host: config.BIND_ADDRESS,
    port: config.INBOUND_SMTP_PORT,
    limits,
    log,
    protocol: protocolOptions(deps),
  };
  const server = await listenSmtp(listen, {
    onMail,
    onRcpt: (address, session) => onRcpt({ ...deps, recipients, refused }, address, session),
    onData: (stream, session) => onData({ ...deps, recipients }, stream, session),
    afterData: (_session, code) => {
      if (code === 250) setImmediate(() => deps.fail('inbound.after-reply'));
    },
  });
  return { ...server, sessions: limits.size };
}

function protocolOptions({ config, tls }: SmtpDeps): SMTPServerOptions {
  return {
    ...tls,
    name: config.INBOUND_HOSTNAME,
    banner: 'Postrider',
    heloResponse: '%s greets you',
    size: MAX_MESSAGE_BYTES,
    maxRecipients: MAX_RECIPIENTS,
    maxClients: config.INBOUND_MAX_CONNECTIONS,
    maxCommandLength: 4096, // RFC 5321 section 4.5.3.1.4 asks for 512, extensions add to it
    socketTimeout: config.INBOUND_IDLE_SECONDS * 1000,
    disabledCommands: ['AUTH'],
  };
}
