// Finds the refusal inside the words of a report: reply code, enhanced code, and which command was refused.

import type { Refusal } from '../bounce/classify-bounce.ts';
import type { SmtpCommand } from '../smtp-reply.ts';

// Which command a report says was refused. The first row that matches decides. sendmail pipelines, and shows the answer
// to RCPT below `>>> DATA`: then the peer complains next that there is no recipient.
const COMMANDS: readonly { command: SmtpCommand; text: RegExp }[] = [
  {
    command: 'RCPT',
    text: />>> data\s+<<< [^]{0,600}<<< (?:503|554 5\.5\.1)|(?:after|reply to|response to|following) (?:\S{1,20} ){0,3}rcpt|smtp:rcpt|does not like recipient|rcpt to generated|\[rcpt_to\]|(?:>>>|sent <<<) rcpt|\(rcpt(?: to)?\)|rejected recipient/i,
  },
  {
    command: 'DOT',
    text: /end of data|after i sent the message|in reply to end of data|\(data end\)|after pipelined data|message content/i,
  },
  {
    command: 'DATA',
    text: /(?:after|reply to|response to|following) (?:\S{1,20} ){0,3}data|>>> data|^data$|\(data\)|smtp:data/im,
  },
  {
    command: 'MAIL',
    text: /(?:after|reply to|response to|following) (?:\S{1,20} ){0,3}mail|does not like sender|>>> mail|\(mail from\)|smtp:mail/i,
  },
  {
    command: 'EHLO',
    text: /(?:after|reply to) (?:\S{1,20} ){0,3}(?:helo|ehlo)|my name was rejected|>>> (?:helo|ehlo)/i,
  },
  {
    command: 'CONNECT',
    text: /initial (?:connection|greeting)|refused to talk to me|connected to \S{1,100} but greeting failed|while talking to .{0,100}<<< [45]/i,
  },
];

const ENHANCED = String.raw`[45]\.\d{1,3}\.\d{1,3}`;
// A reply code stands at the start, or behind a sign that something is quoted; "550 users" in prose is not one.
const REPLY = new RegExp(
  String.raw`(?:^|[\s:;,>("'\[])(?:smtp; ?)?([45]\d\d)[ ,:\n-]\s*(?:#?(${ENHANCED})[ :;-]?)?`,
  'm',
);
const CODE_BEHIND = /(?:error|reply|response|result) code:? ?\[?([45]\d\d)\b/i; // "… [SMTP Error Code 550]"
const BARE_ENHANCED = new RegExp(String.raw`(?:^|[\s#(\[:;])(${ENHANCED})(?![.\d])`);

/** The refusal that some words of a report quote. `status` is the report's own Status field, or empty. */
export function findRefusal(given: string, status = ''): Refusal {
  const words = given.replace(/ERROR_CODE ?: ?/g, '');
  const reply = REPLY.exec(words);
  const text = reply ? words.slice(reply.index).replace(/^[\s:;,>("'[]+/, '') : words;
  const own = /^[45]\.\d/.test(status) && !/^[45]\.0\.0$/.test(status) ? status : null;
  const enhanced = reply?.[2] ?? BARE_ENHANCED.exec(words)?.[1] ?? own ?? (status === '' ? null : status);
  return {
    code: Number(reply?.[1] ?? CODE_BEHIND.exec(words)?.[1] ?? 0) || null,
    enhanced: enhanced !== null && /^[45]/.test(enhanced) ? enhanced : null,
    text: withoutCodes(text),
    command: commandOf(words),
  };
}

// A report wraps its lines: "(in reply to⏎    RCPT TO command)" is one. The lines of a transcript stay as they are.
function commandOf(words: string): SmtpCommand | null {
  const unwrapped = words.replace(/\n[ \t]{1,40}(?![<>]{3}|\d{3}[ -])(?=\S)/g, ' ');
  return COMMANDS.find(({ text }) => text.test(unwrapped))?.command ?? null;
}

function withoutCodes(text: string): string {
  return text.replace(new RegExp(String.raw`^[45]\d\d[ ,:\n-]\s*(?:#?${ENHANCED}[ :;-]?\s*)?`), '').trim();
}
