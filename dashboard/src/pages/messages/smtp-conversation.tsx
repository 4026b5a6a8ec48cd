// What was said in one try: each SMTP command up to the one that was answered last, with the server's own words to
// that. The commands before it were taken, or the last one would never have been sent (RFC 5321 section 4.1.4).

import type { ReactNode } from 'react';

import type { MessageDetailFragment } from '../../gen/pages/messages/message.ts';

type Attempt = MessageDetailFragment['attempts'][number];

const COMMANDS = [
  { command: 'CONNECT', said: 'connect' },
  { command: 'EHLO', said: 'EHLO' },
  { command: 'STARTTLS', said: 'STARTTLS' },
  { command: 'AUTH', said: 'AUTH' },
  { command: 'MAIL', said: 'MAIL FROM' },
  { command: 'RCPT', said: 'RCPT TO' },
  { command: 'DATA', said: 'DATA' },
  { command: 'DOT', said: 'the message, and the final dot' },
] as const;
const ALWAYS = new Set(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'DOT']);

/** The lines of the conversation, in a frame of its own; the peer's words are shown as text. */
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
      {before.map(({ command: name, said }) => (
        <p key={name} className="text-muted">
          <span aria-hidden="true">→ </span>
          {said}
          {name === 'STARTTLS' ? ` (${tls})` : ''}: taken
        </p>
      ))}
      {last < 0 ? null : (
        <p>
          <span aria-hidden="true">→ </span>
          {COMMANDS[last]?.said}
        </p>
      )}
      <p className="break-words whitespace-pre-wrap">
        <span aria-hidden="true">{smtpCode === null ? '✕ ' : '← '}</span>
        {reply === '' ? '(nothing was said)' : reply}
      </p>
    </div>
  );
}
