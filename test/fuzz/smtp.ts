// SMTP: dialogues of inbound and of submission, in any order, with any line ends and in any segments.

import { plain } from '../harness/submission.ts';
import { hostileText, named, withThings } from './hostile.ts';
import { lane } from './lane.ts';
import { fromTape, type Tape } from './tape.ts';
import { judgeReplies, talk, type Door } from './wire.ts';
import type { FuzzWorld } from './world.ts';

const DOORS = ['inbound', 'submission', 'submissions'] as const;
const KEY = '‹auth›';

/** The lane of SMTP. */
export const smtp = lane('smtp', fromTape(dialogue), async (world, { door, lines, cuts }) => {
  const auth = plain(await world.key());
  const written = lines.map((line) => withThings(line.replaceAll(KEY, auth), world.things));
  const bytes = segments(written, cuts).map((piece) => Buffer.from(piece, 'latin1'));
  return judgeReplies(await talk(doorOf(world, door), bytes));
});

/** Where a service listens. */
export function doorOf({ services }: FuzzWorld, door: (typeof DOORS)[number]): Door {
  const { api, inbound } = services;
  switch (door) {
    case 'inbound':
      return { port: Number(inbound.env['INBOUND_SMTP_PORT']), tls: false };
    case 'submission':
      return { port: Number(api.env['SUBMISSION_PORT']), tls: false };
    case 'submissions':
      return { port: Number(api.env['SUBMISSIONS_PORT']), tls: true };
  }
}

const MAX_STEPS = 14;

interface Dialogue {
  door: (typeof DOORS)[number];
  lines: string[];
  /** Line by line, or all at once but for cuts at these octets, counted around. */
  cuts: 'lines' | number[];
}

function dialogue(tape: Tape): Dialogue {
  const door = tape.of(DOORS);
  const opening = tape.chance(85) ? ['EHLO client.test\r\n'] : [];
  const signIn = door !== 'inbound' && tape.chance(85) ? [`AUTH PLAIN ${KEY}\r\n`] : [];
  const steps = tape.many(MAX_STEPS, () => step(tape, door));
  const cuts = tape.chance(50) ? tape.many(6, () => tape.under(100_000)) : 'lines';
  return { door, lines: [...opening, ...signIn, ...steps.flat()], cuts };
}

function step(tape: Tape, door: string): string[] {
  const to = door === 'inbound' ? named('mailbox') : 'ann@sink.test';
  return tape.one(
    () => [command(tape)],
    () => transaction(tape, to),
    () => [latin1(hostileText(tape)) + ending(tape)],
    () => transaction(tape, to),
  );
}

// The most usual way to DATA, so that many cases come that far.
function transaction(tape: Tape, to: string): string[] {
  const from = tape.chance(20) ? path(tape) : `<${named('from')}>`;
  return [
    `MAIL FROM:${from}${tape.chance(30) ? parameters(tape) : ''}\r\n`,
    ...(tape.chance(15) ? [`RCPT TO:${path(tape)}${parameters(tape)}${ending(tape)}`] : []),
    `RCPT TO:<${to}>\r\n`,
    'DATA\r\n',
    ...content(tape),
  ];
}

const VERBS = [
  ...[
    'NOOP',
    'RSET',
    'HELO a',
    'EHLO',
    'EHLO [127.0.0.1]',
    'DATA',
    'VRFY a',
    'EXPN a',
    'HELP',
    'QUIT',
    'STARTTLS',
  ],
  ...[
    'BDAT 5 LAST',
    'AUTH',
    'AUTH PLAIN',
    'AUTH LOGIN',
    'AUTH PLAIN =',
    'AUTH XOAUTH2 YQ==',
    `AUTH PLAIN ${KEY}`,
  ],
  ...[
    'TURN',
    'ETRN a',
    'GET / HTTP/1.1',
    'XCLIENT ADDR=1.2.3.4',
    'PROXY TCP4 1.2.3.4 1.2.3.4 1 1',
    '*',
    '.',
    '',
  ],
] as const;

function command(tape: Tape): string {
  const text = tape.one(
    () => tape.of(VERBS),
    () => `MAIL FROM:${path(tape)}${parameters(tape)}`,
    () => `RCPT TO:${path(tape)}${parameters(tape)}`,
    () => `${tape.of(VERBS)} ${latin1(hostileText(tape))}`,
  );
  return text + ending(tape);
}

const PATHS = [
  ...[
    '<a@b.test>',
    '<>',
    '<',
    '>',
    '',
    'a@b.test',
    '<a@b.test',
    '<<a@b.test>>',
    '<@c.test:a@b.test>',
    '<a@>',
  ],
  ...['<@b.test>', '<"a b"@b.test>', '<"a\\"@b.test>', '<a@[127.0.0.1]>', '<a@[IPv6:::1]>', '<postmaster>'],
  ...['<a@b..test>', '< a@b.test >', '<\xc3\xa9@b.test>', '<\xff@b.test>', '<a@xn--.test>', '<a\0b@c.test>'],
  ...[
    `<${named('mailbox')}>`,
    `<${named('bounce')}>`,
    `<${named('complaint')}>`,
    `<abuse@bounces.${named('domain')}>`,
  ],
] as const;

function path(tape: Tape): string {
  return tape.one(
    () => tape.of(PATHS),
    () => `<${latin1(hostileText(tape))}@b.test>`,
    () => `<a@${latin1(hostileText(tape))}>`,
  );
}

const PARAMETERS = [
  ...[
    'SIZE=1',
    'SIZE=-1',
    'SIZE=1e9',
    'SIZE=99999999999999999999',
    'SIZE=',
    'BODY=8BITMIME',
    'BODY=BINARYMIME',
  ],
  ...[
    'SMTPUTF8',
    'SMTPUTF8=1',
    'X=Y',
    'AUTH=<>',
    'RET=FULL',
    'NOTIFY=NEVER',
    'ORCPT=rfc822;a+2Bb',
    '=',
    '==',
    'SIZE',
  ],
] as const;

function parameters(tape: Tape): string {
  return tape.many(3, () => ` ${tape.of(PARAMETERS)}`).join('');
}

const LINES = [
  '',
  '.',
  '..',
  '.a',
  'Subject: a',
  'From: ‹from›',
  'To: ann@sink.test',
  'Received: a',
  ' folded',
  '\0',
  '\xff',
  ':',
];
const ENDS = [
  '\r\n.\r\n',
  '\n.\n',
  '\r.\r',
  '\r\n.\n',
  '\n.\r\n',
  '\r\n.\r',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\r\r\n.\r\r\n',
  '',
] as const;

function content(tape: Tape): string[] {
  const head = tape.chance(80) ? ['From: ‹from›\r\n', 'To: ann@sink.test\r\n', 'Subject: a\r\n', '\r\n'] : [];
  const lines = tape.many(10, () => tape.of(LINES as [string]) + ending(tape));
  const odd = tape.chance(40) ? [tape.of(ENDS), 'MAIL FROM:<x@y.test>\r\n'] : [];
  const long = tape.chance(3) ? ['x'.repeat(300_000)] : [];
  return [...head, ...lines, ...long, ...odd, ...(tape.chance(92) ? ['\r\n.\r\n'] : [])];
}

function ending(tape: Tape): string {
  return tape.chance(12) ? tape.of(['\n', '\r', '\r\r\n', '\0\r\n', '']) : '\r\n';
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

// Cut anywhere: between the CR and the LF too.
function segments(lines: string[], cuts: Dialogue['cuts']): string[] {
  if (cuts === 'lines') return lines;
  const text = lines.join('');
  const places = cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((from, at) => text.slice(from, places[at]));
}
