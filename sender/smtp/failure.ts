// What an SMTP step that did not work looks like: a reply, or a failure of the network around it.

import type SMTPConnection from 'nodemailer/lib/smtp-connection';

import type { BounceStage } from '../../core/mail/bounce/rule.ts';
import type { TlsPolicy } from '../../core/message/outcome.ts';
import type { TlsFacts } from './peer-certificate.ts';
import { parseReply, type Reply, type SmtpCommand } from '../../core/mail/smtp-reply.ts';

/** The peer said no (a 4xx or 5xx reply; `reply.command` says to what). `local`: we said it in the peer's place. */
export interface Refused {
  kind: 'refused';
  reply: Reply;
  local: boolean;
}

/** There is no answer: DNS, connection, TLS or time. `command` is the last one sent, null before the greeting. */
export interface Failed {
  kind: 'failed';
  stage: BounceStage;
  permanent: boolean;
  enhanced: string;
  detail: string;
  command: SmtpCommand | null;
  /** The receiver's own policy that the connection did not meet: nothing may be sent over it. */
  policy: TlsPolicy | null;
  /** What the host showed when its certificate was the reason. */
  tls: TlsFacts | null;
}

/** The error that nodemailer's SMTPConnection hands over, as far as it is read here. */
export interface ConnectionError extends Error {
  code?: string | undefined;
  command?: string | undefined;
  response?: string | undefined;
  timeoutType?: string | undefined;
}

const COMMANDS: [prefix: string, command: SmtpCommand][] = [
  ['MAIL', 'MAIL'],
  ['RCPT', 'RCPT'],
  ['DATA', 'DATA'],
  ['AUTH', 'AUTH'],
  ['EHLO', 'EHLO'],
  ['HELO', 'EHLO'],
  ['STARTTLS', 'STARTTLS'],
  ['RSET', 'RSET'],
];

/** Reads an error: a refusal when it carries a whole reply, else a failure at the given stage. */
export function readError(
  error: ConnectionError,
  stage: BounceStage,
  last: SmtpCommand | null,
): Refused | Failed {
  const command = commandOf(error) ?? last;
  const reply = error.response === undefined ? null : parseReply(error.response, command ?? 'CONNECT');
  // A 2xx or 3xx where another was due is a peer out of step, not a refusal.
  if (reply && reply.code >= 400) return { kind: 'refused', reply, local: false };
  if (error.code === 'EMESSAGE' && error.command === 'MAIL FROM') {
    return refusedHere(552, '5.3.4', `Message too large: ${error.message}`, 'MAIL');
  }
  return failed(stage, error.message, command);
}

/** A failure that may pass. */
export function failed(stage: BounceStage, detail: string, command: SmtpCommand | null = null): Failed {
  const enhanced = stage === 'dns' ? '4.4.3' : stage === 'tls' ? '4.7.5' : '4.4.2';
  return { kind: 'failed', stage, permanent: false, enhanced, detail, command, policy: null, tls: null };
}

/** A connection that the policy of the recipient's domain does not allow. */
export function refusedByPolicy(
  policy: TlsPolicy,
  detail: string,
  command: SmtpCommand | null = null,
): Failed {
  return { ...failed('tls', detail, command), policy };
}

/** A refusal that we state because the peer could only give it after we broke its rules. */
export function refusedHere(code: number, enhanced: string, text: string, command: SmtpCommand): Refused {
  return {
    kind: 'refused',
    reply: { code, enhanced, text, lines: [`${code} ${enhanced} ${text}`], command },
    local: true,
  };
}

/**
 * The refusal that a transaction has had already when its connection breaks: a peer that refuses RCPT and hangs up, as
 * Postfix does with 521, never answers the DATA that was sent along (RFC 2920). null when nothing was refused.
 */
export function lastRefusal(smtp: SMTPConnection): ConnectionError | null {
  const { _envelope: envelope } = smtp as unknown as { _envelope?: Envelope | false };
  return envelope ? (envelope.mailError ?? envelope.rejectedErrors?.at(-1) ?? null) : null;
}

/**
 * The refusal that was read last, whatever ended the connection: a peer that says no and hangs up has said no. RFC 5321 section
 * 4.2.1 wants one code on all lines of a reply; where they differ, as `220-` and then `521`, the last line is the reply.
 */
export function refusalRead(smtp: SMTPConnection): string | null {
  const last = (smtp.lastServerResponse || '').split(/\r?\n/).filter((line) => line !== '');
  const code = /^([45]\d\d)(?:[ -]|$)/.exec(last.at(-1) ?? '')?.[1];
  if (code === undefined) return null;
  return last.filter((line) => line.startsWith(code)).join('\r\n');
}

// What nodemailer keeps of the replies to the commands of one message.
interface Envelope {
  mailError?: ConnectionError;
  rejectedErrors?: ConnectionError[];
}

// nodemailer says DATA both for the command and for what follows it; the error code distinguishes them.
function commandOf(error: ConnectionError): SmtpCommand | null {
  if (error.code === 'EMESSAGE' && error.command === 'DATA') return 'DOT';
  return COMMANDS.find(([prefix]) => error.command?.startsWith(prefix))?.[1] ?? null;
}
