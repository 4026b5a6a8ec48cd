// Reports: bounces (RFC 3464 and in plain words), complaints (RFC 5965) and what is none of them, to return paths that are
// real, so that they are read and believed.

import { stuffed } from '../harness/inbound-world.ts';
import { arfReport, dsnReport } from '../harness/report-mail.ts';
import { judgeRest } from './ask.ts';
import { hostileText, named, withThings, type Thing } from './hostile.ts';
import { lane } from './lane.ts';
import { doorOf } from './smtp.ts';
import { untilRead } from './stored-mail.ts';
import { fromTape, type Tape } from './tape.ts';
import { judgeReplies, talk } from './wire.ts';

/** The lane of reports. */
export const dsn = lane('dsn', fromTape(report), async (world, { to, message }) => {
  const octets = Buffer.from(withThings(message, world.things), 'latin1');
  const envelope = `EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<${world.things.get(to)}>\r\nDATA\r\n`;
  const pieces = [Buffer.from(envelope), stuffed(octets), Buffer.from('QUIT\r\n')];
  const said = await talk(doorOf(world, 'inbound'), pieces, { toTheEnd: true });
  const wrong = judgeReplies(said);
  if (wrong !== null || typeof said === 'string') return wrong;
  const rawId = /Stored as (\S+)/.exec(said.text)?.[1];
  if (rawId === undefined) return null; // refused
  const unread = await untilRead(world, rawId);
  if (unread !== null) return unread;
  const path = `/api/v1/transactional/${named('msg')}`;
  return judgeRest(await world.ask('key', { method: 'GET', path, headers: {} }));
});

const TO: [Thing, ...Thing[]] = ['bounce', 'complaint'];

function report(tape: Tape): { to: Thing; message: string } {
  const to = tape.of(TO);
  const written = tape.one(
    () => dsnReport('ann@sink.test', tape.of(STATUS), tape.of(DIAGNOSES), tape.of(ACTIONS)),
    () => arfReport(named('bounce'), tape.of(['abuse', 'not-spam', 'x', 'fraud', ''])),
    () => lines(...tape.many(6, () => tape.of(WORDS)), '', ...tape.many(8, () => tape.of(LINES))),
  );
  const list = written.split('\r\n');
  const changes = tape.many(6, () => [tape.under(1_000), tape.under(5)] as const);
  for (const [at, how] of changes) change(tape, list, at % list.length, how);
  return { to, message: list.join(tape.chance(6) ? '\n' : '\r\n') };
}

// A line is doubled many times, lost, replaced, moved to the front or made longer.
function change(tape: Tape, list: string[], at: number, how: number): void {
  const line = list[at] ?? '';
  switch (how) {
    case 0:
      list.splice(at, 1, tape.of(LINES));
      return;
    case 1:
      list.splice(at, 0, ...Array.from({ length: tape.of([1, 3, 500, 4_000]) }, () => line));
      return;
    case 2:
      list.splice(at, 1);
      return;
    case 3:
      list.unshift(line);
      return;
    default:
      list[at] =
        line +
        Buffer.from(hostileText(tape))
          .toString('latin1')
          .replaceAll(/[\r\n]/g, ' ');
  }
}

const STATUS = [
  '5.1.1',
  '4.2.2',
  '5.0.0',
  '2.1.5',
  '',
  '5.1',
  '99999.99999.99999',
  '5.1.1 (x',
  '-5.1.1',
] as const;
const ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded', '', 'FAILED', 'x'] as const;
const DIAGNOSES = [
  ...[
    '550 5.1.1 User unknown',
    '452 4.2.2 Mailbox full',
    '',
    '550',
    '5.1.1',
    '550-a\r\n 550 b',
    '550 '.repeat(2_000),
  ],
  ...[
    '\xff\xfe',
    '550 5.7.1 blocked using x.test',
    '<a@b.test>: unknown',
    '='.repeat(2_000),
    '550 5.1.1 a\0b',
  ],
] as const;
const WORDS = [
  ...[
    'From: MAILER-DAEMON@x.test',
    'Subject: Undelivered Mail Returned to Sender',
    'Subject: Delivery delayed',
  ],
  ...['Content-Type: text/plain', 'Content-Type: text/html', 'Content-Type: message/delivery-status'],
  ...[
    'Content-Type: multipart/report; boundary=x',
    'Content-Type: message/feedback-report',
    'X-Failed-Recipients: a@b.test',
  ],
  ...[
    'Content-Transfer-Encoding: base64',
    'Content-Transfer-Encoding: quoted-printable',
    'Auto-Submitted: auto-replied',
  ],
] as const;
const LINES = [
  ...[
    '',
    '--x',
    '--x--',
    'Final-Recipient: rfc822; a@b.test',
    'Original-Recipient: utf-8; \\x{e9}@b.test',
    'Action: failed',
  ],
  ...[
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 no',
    'Reporting-MTA: dns; x.test',
    'Feedback-Type: abuse',
    'Arrival-Date: x',
  ],
  ...[
    'Original-Mail-From: <‹bounce›>',
    'Original-Rcpt-To: ann@sink.test',
    'Removal-Recipient: a',
    'Version: 1',
    'Incidents: -1',
  ],
  ...[
    '<ann@sink.test>: host x.test said: 550 5.1.1 no',
    '----- The following addresses had permanent fatal errors -----',
  ],
  ...[
    'Message-ID: <a@b>',
    'List-Unsubscribe: <https://x.test/u/a>',
    '   550 5.1.1 <a@b.test>... User unknown',
    '=C3=A9=',
    '>>> RCPT',
  ],
  ...[
    'Content-Type: message/rfc822',
    'Content-Type: text/rfc822-headers',
    ' folded',
    ':',
    '\xe9',
    '\0',
    ' '.repeat(2_000),
    '<'.repeat(2_000),
  ],
] as const;

const lines = (...list: string[]) => list.join('\r\n');
