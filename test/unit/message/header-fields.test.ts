// The table of header fields holds at every way in: what is refused beside a message, what is removed from ready-made mail.

import { describe, expect, test } from 'vitest';

import { isAddedHeader } from '../../../api/compat/added-headers.ts';
import { readEmail } from '../../../api/compat/postmark/read-email.ts';
import { checkEmail } from '../../../api/compat/resend/email-input.ts';
import { readMail } from '../../../api/compat/sendgrid/read-mail.ts';
import { readControlFields } from '../../../api/submission/control-fields.ts';
import { newUuid } from '../../../core/base/ids.ts';
import { OutgoingMessage } from '../../../core/gen/sender/v1/sender.ts';
import { HEADER_FIELDS } from '../../../core/mail/header-fields.ts';
import { composeRaw } from '../../../core/mail/raw/compose-raw.ts';
import { readHeaderSection } from '../../../core/mail/raw/header-section.ts';
import { readOutgoing } from '../../../core/message/outgoing.ts';
import { parseRawInput } from '../../../core/message/raw-input.ts';
import { parseSendInput } from '../../../core/message/send-input.ts';

const NOW = new Date('2026-01-15T12:00:00Z');
const FROM = 'shop@example.com';
const TO = 'ann@example.net';
const VALUE = 'other@example.org';
const words = { from: FROM, subject: 'x', text: 'x' };

type Read = { ok: true } | { ok: false; details: { message: string }[] };

const BESIDE: Record<string, (name: string) => Read> = {
  'REST and GraphQL': (name) => parseSendInput({ ...words, to: TO, headers: { [name]: VALUE } }, NOW),
  'REST, as a list': (name) => parseSendInput({ ...words, to: TO, headers: [{ name, value: VALUE }] }, NOW),
  gRPC: (name) =>
    readOutgoing(
      newUuid(),
      OutgoingMessage.fromPartial({ ...words, to: [TO], headers: [{ name, value: VALUE }] }),
      NOW,
    ),
  Resend: (name) => checkEmail({ ...words, to: TO, headers: { [name]: VALUE } }),
  SendGrid: (name) => readMail(sendGridBody({ headers: { [name]: VALUE } }), NOW),
  'SendGrid, for one person': (name) =>
    readMail(sendGridBody({ personalizations: [{ to: [{ email: TO }], headers: { [name]: VALUE } }] }), NOW),
  Postmark: (name) =>
    readEmail({ From: FROM, To: TO, Subject: 'x', TextBody: 'x', Headers: [{ Name: name, Value: VALUE }] }),
};

function sendGridBody(more: object) {
  return {
    from: { email: FROM },
    subject: 'x',
    content: [{ type: 'text/plain', value: 'x' }],
    personalizations: [{ to: [{ email: TO }] }],
    ...more,
  };
}

// The mail that is stored, and what reading it said of Sender.
const READY_MADE: Record<string, (raw: Buffer) => Stored> = {
  REST: (raw) => stored(parseSendInput({ to: TO, raw: raw.toString('base64') }, NOW)),
  gRPC: (raw) => {
    const read = readOutgoing(newUuid(), OutgoingMessage.fromPartial({ to: [TO], raw }), NOW);
    if (!read.ok) throw new Error(JSON.stringify(read.details));
    const { content, sender } = read.message;
    return { raw: Buffer.from(OutgoingMessage.decode(content).raw), sender: sender?.domain };
  },
  submission: (raw) => {
    const fields = readControlFields(raw);
    if (!fields.ok) return { refused: true };
    return stored(parseRawInput(fields.raw, [TO], fields.options, NOW));
  },
};

type Stored = { raw: Buffer; sender: string | undefined } | { refused: true };

function stored(read: ReturnType<typeof parseSendInput>): Stored {
  if (!read.ok) throw new Error(JSON.stringify(read.details));
  return { raw: read.input.raw!, sender: read.input.senderDomain };
}

const cases = HEADER_FIELDS.map((row) => ({
  ...row,
  field: row.name.endsWith('-') ? `${row.name}x` : row.name,
}));
const spellings = (name: string) => [name, name.toUpperCase()];

const ADAPTERS = /^(Resend|SendGrid|Postmark)/; // libraries that add these fields send through them

describe.each(Object.entries(BESIDE))('beside a message, by %s', (way, read) => {
  test.each(cases)('$field is $json', ({ field, json }) => {
    for (const name of spellings(field)) {
      const answer = read(name);
      const ignored = ADAPTERS.test(way) && isAddedHeader(name);
      expect(answer.ok, name).toBe(ignored || json !== 'refused');
      if (!answer.ok) expect(answer.details[0]!.message).toMatch(/^header .* cannot be set: /);
    }
  });

  test('any other field is the customer’s', () => expect(read('X-Order')).toMatchObject({ ok: true }));
});

describe.each(Object.entries(READY_MADE))('in ready-made mail, by %s', (way, store) => {
  test.each(cases)('$field is $raw', ({ field, raw: treatment }) => {
    for (const name of spellings(field)) {
      const isFrom = field === 'from';
      const line = `${name}: ${isFrom ? FROM : VALUE}\r\n`;
      const made = store(
        Buffer.from(`${isFrom ? '' : `From: ${FROM}\r\n`}${line}X-Order: 1\r\n\r\nHello\r\n`),
      );
      if (way === 'submission' && field.startsWith('x-postrider-')) {
        expect(made).toEqual({ refused: true });
        continue;
      }
      if ('refused' in made) throw new Error(`${name} was refused`);
      expect(made.sender).toBe(treatment === 'verified_domain' ? 'example.org' : undefined);
      const section = readHeaderSection(made.raw);
      if (!section.ok) throw new Error(section.problem);
      const headers = composeRaw(made.raw, section.section, {
        messageId: '<1@x>',
        date: NOW,
      }).headers.toString();
      expect(headers.includes(line), headers).toBe(treatment !== 'removed');
      expect(headers).toContain('X-Order: 1\r\n');
    }
  });

  test('a Sender at the domain of From needs no look-up, and two Senders are no address', () => {
    const sender = (...lines: string[]) =>
      store(Buffer.from(`From: ${FROM}\r\n${lines.map((one) => `Sender: ${one}\r\n`).join('')}\r\n`));
    expect(sender('Bills <bills@EXAMPLE.com>')).toMatchObject({ sender: undefined });
    for (const bad of [[VALUE, FROM], ['a@b.example, c@d.example'], ['nobody'], ['']])
      expect(sender(...bad)).toMatchObject({ sender: '' });
  });

  test('51 Received fields are a loop, 50 are not', () => {
    const passed = (times: number) =>
      Buffer.from(`${'Received: from a by b\r\n'.repeat(times)}From: ${FROM}\r\n\r\n`);
    expect(store(passed(50))).toHaveProperty('raw');
    expect(() => store(passed(51))).toThrow('has more than 50 Received fields: it is in a loop');
  });
});
