// What a trace shows of an SMTP dialogue: each reply as an event, with its codes and what it answers. What the peer says in
// words is not in it: that names recipients.

import { currentSpan, isTracing, type Attributes, type Span } from '../../core/base/trace.ts';
import { parseReply, type Reply } from '../../core/mail/smtp-reply.ts';
import type { Failed, Refused } from './failure.ts';

/** Follows the dialogue of one connection. `logger` is what nodemailer reports. */
export interface DialogueTrace {
  logger: NodemailerLog;
  /** From now on its replies belong to this span, which has not ended; to none while the connection waits for a message. */
  follow(span: Span | undefined): void;
}

type Write = (entry: { tnx?: string } | undefined, text: string) => void;
type NodemailerLog = Record<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', Write>;

const VERB = /^(EHLO|HELO|STARTTLS|MAIL|RCPT|DATA|RSET|QUIT)\b/;

/** The trace of a connection that is opened now; undefined in a process without traces. */
export function startDialogueTrace(): DialogueTrace | undefined {
  if (!isTracing()) return undefined;
  let span: Span | undefined = currentSpan();
  let greeted = false;
  const asked: string[] = []; // not answered yet: commands may be sent ahead (RFC 2920)
  const nothing: Write = () => {};
  const hear: Write = (entry, text) => {
    if (entry?.tnx === 'client') asked.push(VERB.exec(text)?.[1] ?? 'AUTH');
    if (entry?.tnx !== 'server') return;
    const command = asked.shift() ?? (greeted ? 'DOT' : 'CONNECT'); // no command stands before the greeting and the end of data
    greeted = true;
    const reply = parseReply(text);
    if (reply) span?.addEvent('smtp.reply', { 'smtp.command': command, ...replyAttributes(reply) });
  };
  return {
    logger: { trace: nothing, debug: hear, info: nothing, warn: nothing, error: nothing, fatal: nothing },
    follow: (next) => {
      span = next;
    },
  };
}

/** How opening a connection ended. */
export function openedAttributes(
  opened: { ok: true } | { ok: false; failure: Refused | Failed },
): Attributes {
  if (opened.ok) return {};
  const { failure } = opened;
  return failure.kind === 'refused' ? replyAttributes(failure.reply) : { 'error.type': failure.stage };
}

/** The codes of a reply, and what it answers where that is known. */
export function replyAttributes({ code, enhanced, command }: Reply): Attributes {
  return {
    'smtp.response.code': code,
    ...(enhanced !== null && { 'smtp.response.enhanced_code': enhanced }),
    ...(command !== null && { 'smtp.command': command }),
  };
}
