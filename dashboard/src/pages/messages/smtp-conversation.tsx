// The SMTP conversation of one attempt: each command up to the last one, with the server's reply to that. The commands
// before it were accepted, or the last one would not have been sent (RFC 5321 section 4.1.4).

import type { ReactNode } from 'react';

import type { MessageDetailFragment } from '../../gen/pages/messages/message.ts';

type Attempt = MessageDetailFragment['attempts'][number];

const COMMANDS = [
  { command: 'CONNECT', text: 'connect', done: 'connected' },
  { command: 'EHLO', text: 'EHLO', done: 'EHLO' },
  { command: 'STARTTLS', text: 'STARTTLS', done: 'STARTTLS' },
  { command: 'AUTH', text: 'AUTH', done: 'AUTH' },
  { command: 'MAIL', text: 'MAIL FROM', done: 'MAIL FROM' },
  { command: 'RCPT', text: 'RCPT TO', done: 'RCPT TO' },
  { command: 'DATA', text: 'DATA', done: 'DATA' },
  { command: 'DOT', text: 'message and final dot', done: 'message and final dot' },
] as const;
const ALWAYS = new Set(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'DOT']);

/** The lines of the conversation; the server's reply is shown as text. */
export function SmtpConversation({ attempt, label }: { attempt: Attempt; label: string }): ReactNode {
  const { command, reply, smtpCode, tls } = attempt;
  const last = COMMANDS.findIndex((one) => one.command === command);
  const before = COMMANDS.slice(0, Math.max(last, 0)).filter(
    (one) => ALWAYS.has(one.command) || (one.command === 'STARTTLS' && tls !== null),
  );
  return (
    <div
      role="group"
      tabIndex={0}
      aria-label={label}
      className="bg-subtle mt-2 max-h-72 overflow-auto rounded-md px-3 py-2 font-mono text-[13px]"
    >
      {before.map(({ command: name, done }) => (
        <p key={name} className="text-muted">
          ✓ {done} {name === 'STARTTLS' ? `(${tls})` : ''}
        </p>
      ))}
      {last < 0 ? null : (
        <p>
          <span aria-hidden="true">→ </span>
          {COMMANDS[last]?.text}
        </p>
      )}
      <p className="break-words whitespace-pre-wrap">
        <span aria-hidden="true">{smtpCode === null ? '✕ ' : '← '}</span>
        {reply === '' ? '(no reply)' : reply}
      </p>
    </div>
  );
}
