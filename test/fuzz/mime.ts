// MIME: messages as no program should write them, by every way in: over SMTP to a mailbox, where they are read again as
// people read them; and ready-made over REST and over submission.

import { stuffed } from '../harness/inbound-world.ts';
import { plain } from '../harness/submission.ts';
import { judgeRest } from './ask.ts';
import { hostileText, named, withThings } from './hostile.ts';
import { lane } from './lane.ts';
import { doorOf } from './smtp.ts';
import { readInbound, untilRead } from './stored-mail.ts';
import { fromTape, type Tape } from './tape.ts';
import { judgeReplies, talk } from './wire.ts';
import type { FuzzWorld } from './world.ts';

const WAYS = ['inbound', 'raw', 'submissions'] as const;

interface Mail {
  way: (typeof WAYS)[number];
  /** Octets as latin1. */
  message: string;
}

/** The lane of MIME. */
export const mime = lane('mime', fromTape(mail), async (world, { way, message }) => {
  const octets = Buffer.from(withThings(message, world.things), 'latin1');
  return way === 'raw' ? sendRaw(world, octets) : sendSmtp(world, way, octets);
});

function mail(tape: Tape): Mail {
  const way = tape.of(WAYS);
  const own = way === 'inbound' ? [] : [`From: ${named('from')}`, 'To: ann@sink.test', 'Subject: a'];
  const end = lineEnd(tape);
  return { way, message: [...own, ...tape.many(8, () => field(tape)), part(tape, 0)].join(end) };
}

async function sendRaw(world: FuzzWorld, octets: Buffer): Promise<string | null> {
  const came = await world.ask('key', {
    method: 'POST',
    path: '/api/v1/transactional/send',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ raw: octets.toString('base64') }),
  });
  return judgeRest(came);
}

async function sendSmtp(
  world: FuzzWorld,
  way: 'inbound' | 'submissions',
  octets: Buffer,
): Promise<string | null> {
  const to = way === 'inbound' ? world.things.get('mailbox') : 'ann@sink.test';
  const signIn = way === 'inbound' ? '' : `AUTH PLAIN ${plain(await world.key())}\r\n`;
  const envelope = `EHLO a\r\n${signIn}MAIL FROM:<ann@sender.test>\r\nRCPT TO:<${to}>\r\nDATA\r\n`;
  const pieces = [Buffer.from(envelope), stuffed(octets), Buffer.from('QUIT\r\n')];
  const said = await talk(doorOf(world, way), pieces, { toTheEnd: true });
  const wrong = judgeReplies(said);
  if (wrong !== null || typeof said === 'string' || way !== 'inbound') return wrong;
  const rawId = /Stored as (\S+)/.exec(said.text)?.[1];
  if (rawId === undefined) return null; // refused
  return (await untilRead(world, rawId)) ?? readInbound(world, rawId);
}

const NAMES = [
  ...['From', 'To', 'Cc', 'Subject', 'Date', 'Message-ID', 'References', 'Received', 'DKIM-Signature', 'X-A'],
  ...[
    'Content-Type',
    'Content-Transfer-Encoding',
    'Content-Disposition',
    'MIME-Version',
    'Auto-Submitted',
    ' ',
    '',
  ],
] as const;

const VALUES = [
  ...[
    'a',
    '',
    '=?utf-8?q?=ff?=',
    '=?utf-8?b?////?=',
    '=?x?q?a?=',
    '=?utf-8?q?a',
    '=?utf-8?q?=?='.repeat(200),
    '<a@b.test>',
  ],
  ...[
    'a <a@b.test>, "b, c" <b@c.test>',
    'g: a@b.test, b@c.test;',
    '(((((a)))',
    '('.repeat(5_000),
    '<',
    'a@b.test,'.repeat(2_000),
  ],
  ...[
    'Mon, 32 Foo 99999 25:61:61 +9999',
    'Thu, 1 Jan 1970 00:00:00 +0000',
    '9'.repeat(400),
    '\xff\xfe\x80',
    'a\0b',
    '=E9',
  ],
  ...[
    'v=1; a=rsa-sha256; d=x.test; s=s; h=from; bh=; b=',
    'v=1;'.repeat(500),
    'text/html',
    'multipart/mixed; boundary=x',
  ],
  ...[
    'message/rfc822',
    'message/partial; id=a; number=1',
    'text/plain; charset=utf-7',
    'text/plain; charset=' + 'x'.repeat(2_000),
  ],
  ...[
    "text/plain; charset*=utf-8''%FF; name*0*=a; name*2=b",
    'application/x; name="../../a\0.exe"',
    "attachment; filename*=x'y'%",
  ],
  ...[
    'base64',
    'quoted-printable',
    'x-uuencode',
    '8bit',
    'binary',
    'BASE64;',
    'attachment; filename="\\"',
    'inline',
  ],
] as const;

function field(tape: Tape): string {
  const value = tape.one(
    () => tape.of(VALUES),
    () => tape.of(VALUES) + tape.of(['\r\n ', '\n\t', '\r', '; ']) + tape.of(VALUES),
    () => Buffer.from(hostileText(tape)).toString('latin1'),
  );
  return `${tape.of(NAMES)}${tape.of([':', ': ', ' :', '', '::'])}${value}`;
}

const TYPES = [
  'mixed',
  'alternative',
  'related',
  'report; report-type=delivery-status',
  'signed',
  'digest',
] as const;
const BOUNDARIES = ['x', '"x y"', '', '--', 'x; boundary=y', `"${'z'.repeat(300)}"`] as const;
const MAX_DEPTH = 6;
const MOST_REPEATED = 2_000_000; // characters of a part that comes again and again

/** Fields, an empty line and a body, which may be parts. */
function part(tape: Tape, depth: number): string {
  if (depth >= MAX_DEPTH || !tape.chance(55)) return leaf(tape);
  const written = tape.of(BOUNDARIES);
  const boundary = written.replaceAll('"', '').split(';')[0]!;
  const head = `Content-Type: multipart/${tape.of(TYPES)}; boundary=${written}`;
  const parts = Array.from({ length: 1 + tape.under(4) }, () => part(tape, depth + 1));
  const longest = Math.max(...parts.map((one) => one.length));
  const times = tape.chance(5) ? Math.max(1, Math.min(400, Math.floor(MOST_REPEATED / longest))) : 1;
  const body = parts.map((one) => `--${boundary}\r\n${one}\r\n`.repeat(times)).join('');
  return [
    head,
    ...tape.many(2, () => field(tape)),
    '',
    body + (tape.chance(80) ? `--${boundary}--` : ''),
  ].join('\r\n');
}

const BODIES = [
  ...[
    'Hello',
    '',
    '=',
    '=\r\n',
    '=3D=XY=',
    ' '.repeat(5_000),
    '.\r\n..\r\n',
    'a'.repeat(20_000),
    '\xe9\xff\0\x80',
    '<p>Hi',
  ],
  ...[
    '<a href="https://x.test/">'.repeat(200),
    '<div>'.repeat(3_000),
    '&#x110000;&amp',
    '<style>'.repeat(50),
    'SGVsbG8',
    '!!!!',
  ],
  ...[
    'begin 644 a\r\n#86)C\r\n`\r\nend',
    '+ADw-script+AD4-',
    '\x1b$B$"\x1b(B',
    'Content-Type: text/plain\r\n\r\na',
  ],
] as const;

function leaf(tape: Tape): string {
  const body = tape.one(
    () => tape.of(BODIES),
    () => Buffer.from(hostileText(tape)).toString('latin1'),
    () => tape.of(BODIES).repeat(1 + tape.under(20)),
  );
  return [...tape.many(4, () => field(tape)), '', body].join('\r\n');
}

const lineEnd = (tape: Tape) => (tape.chance(8) ? tape.of(['\n', '\r', '\r\r\n']) : '\r\n');
