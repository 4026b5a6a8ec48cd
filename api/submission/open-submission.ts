// SMTP submission (RFC 6409): mail that customers' programs send with SMTP goes the way of every other send. One handler
// per verb, in SMTP order; two ports, one with STARTTLS and one with TLS from the start (RFC 8314), share their limits.

import type { SMTPServerOptions } from 'smtp-server';

import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import type { Logger } from '../../core/base/log.ts';
import { SIGN_IN_TLS } from '../../core/base/sign-in-tls.ts';
import type { SenderClient } from '../../core/clients/sender.ts';
import { MAX_RAW_OCTETS } from '../../core/mail/raw/read-raw.ts';
import type { Authenticator } from '../../core/people/authenticate.ts';
import { listenSmtp, type SmtpHandlers } from '../../core/smtp-server/listen.ts';
import { createSessionLimits } from '../../core/smtp-server/session-limits.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { createMemoryBudget } from './memory-budget.ts';
import type { CountReply } from './metrics.ts';
import { onData } from './on-data.ts';
import { onMail, onRcpt } from './on-envelope.ts';
import { replyOf } from './replies.ts';
import { createSignIn } from './sign-in.ts';
import { startData } from './start-data.ts';

/** What submission needs. */
export interface SubmissionDeps {
  config: Config;
  tls: { key: Buffer; cert: Buffer };
  authenticator: Authenticator;
  limiter: RateLimiter;
  sender: SenderClient;
  countReply: CountReply;
  fail: Fail;
  log: Logger;
}

/** Submission at work. */
export interface Submission {
  /** With STARTTLS. */
  port: number;
  /** With TLS from the start. */
  tlsPort: number;
  /** For the handshakes from now on. */
  setCertificate(tls: { key: Buffer; cert: Buffer }): void;
  /** Takes no new session, lets messages that are coming in finish, and ends the rest. */
  stop(): Promise<void>;
}

/** Recipients of one message; the contract's number, and what RFC 5321 section 4.5.3.1.8 asks for. */
const MAX_RECIPIENTS = 100;
const MAX_COMMAND_OCTETS = 12_288; // RFC 4954 section 4
const MIB = 1_048_576;

/** Starts listening on both ports. */
export async function openSubmission(deps: SubmissionDeps): Promise<Submission> {
  const { config, log } = deps;
  const limits = createSessionLimits({
    perAddress: config.SUBMISSION_CONNECTIONS_PER_ADDRESS,
    sessionMs: config.SUBMISSION_SESSION_SECONDS * 1000,
  });
  const handlers = createHandlers(deps);
  const listen = (port: number, protocol: SMTPServerOptions) =>
    listenSmtp({ host: config.BIND_ADDRESS, port, limits, log, protocol }, handlers);
  const options = protocolOptions(deps);
  const plain = await listen(config.SUBMISSION_PORT, options);
  const secure = await listen(config.SUBMISSIONS_PORT, { ...options, secure: true });
  return {
    port: plain.port,
    tlsPort: secure.port,
    setCertificate(tls) {
      for (const one of [plain, secure]) one.setCertificate(tls);
    },
    stop: async () => void (await Promise.all([plain.stop(), secure.stop()])),
  };
}

function createHandlers(deps: SubmissionDeps): SmtpHandlers {
  const { countReply } = deps;
  const signIn = createSignIn(deps);
  const memory = createMemoryBudget(deps.config.SUBMISSION_MEMORY_MIB * MIB);
  const counted = async <T>(work: () => Promise<T> | T, success?: string): Promise<T> => {
    try {
      const result = await work();
      if (success !== undefined) countReply(success);
      return result;
    } catch (error) {
      countReply(replyOf(error));
      throw error;
    }
  };
  return {
    onAuth: (auth, session) => counted(() => signIn.signIn(auth, session)),
    onMail: (address, session) => counted(() => onMail(signIn, address, session)),
    onRcpt: (address) => counted(() => onRcpt(address)),
    beforeData: (session) => counted(() => startData({ ...deps, signIn, memory }, session)),
    onData: (stream, session) =>
      counted(() => onData({ ...deps, signIn, memory }, stream, session), '250 2.0.0'),
    afterData: (session) => memory.release(session),
  };
}

function protocolOptions({ config, tls }: SubmissionDeps): SMTPServerOptions {
  return {
    ...tls,
    ...SIGN_IN_TLS,
    name: new URL(config.PUBLIC_URL).hostname, // what the certificate is for
    banner: 'Postrider',
    heloResponse: '%s greets you',
    authMethods: ['PLAIN', 'LOGIN'],
    authRequiredMessage: '5.7.0 Sign in first: AUTH with an API key as the password',
    size: MAX_RAW_OCTETS,
    maxRecipients: MAX_RECIPIENTS,
    maxClients: config.SUBMISSION_MAX_CONNECTIONS,
    maxCommandLength: MAX_COMMAND_OCTETS,
    socketTimeout: config.SUBMISSION_IDLE_SECONDS * 1000,
    disabledCommands: ['WIZ', 'SHELL', 'KILL'],
  };
}
