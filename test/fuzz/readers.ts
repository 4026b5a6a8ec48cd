// Readers of mail, without the way to them: header fields × odd values. What inbound reads goes through its own parsers, so
// that one that ends is found; what is read in other services is read here.

import { readRaw } from '../../core/mail/raw/read-raw.ts';
import { readWords } from '../../core/mail/raw/read-words.ts';
import { misread, ODD_FIELDS, ODD_PLACES, ODD_VALUES, oddMail } from '../harness/odd-mail.ts';
import { hostileText } from './hostile.ts';
import { lane } from './lane.ts';
import { fromTape, type Tape } from './tape.ts';

/** The lane of readers. */
export const readers = lane('readers', fromTape(mail), async ({ parser }, { place, lines }) => {
  const raw = oddMail(place, lines);
  const read = readRaw(raw);
  if (read.ok) readWords(raw, read.mail.section);
  const envelope = { mailFrom: 'ann@sender.test', helo: 'sender.test', peer: '127.0.0.1' };
  return misread(await parser.parse({ raw, ...envelope, content: true, report: true, aggregate: true }));
});

function mail(tape: Tape) {
  const place = tape.of(ODD_PLACES);
  const first = field(tape);
  return { place, lines: [first, ...tape.many(2, () => field(tape))] };
}

function field(tape: Tape): string {
  const name = tape.of(ODD_FIELDS);
  const value = tape.one(
    () => tape.of(ODD_VALUES),
    () => tape.of(ODD_VALUES) + tape.of([' ', ';', '\r\n ', '\n\t', '"']) + tape.of(ODD_VALUES),
    () => Buffer.from(hostileText(tape)).toString('latin1'),
  );
  return `${name}${tape.of([': ', ':', ' :', ''])}${value}`;
}
