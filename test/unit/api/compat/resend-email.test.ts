// What an email of Resend's API may hold, and how a contact's properties look there.

import { expect, test } from 'vitest';

import { checkEmail } from '../../../../api/compat/resend/email-input.ts';
import { toProperties } from '../../../../api/compat/resend/contact-view.ts';
import { threadMs } from '../../../harness/thread-time.ts';

const email = { from: 'a@example.org', to: 'b@example.com', subject: 's', text: 't' };

test('replies go to several addresses, one or none', () => {
  const replyTo = (reply_to: unknown) => {
    const checked = checkEmail({ ...email, reply_to });
    return checked.ok ? checked.value.replyTo?.map(({ text }) => text) : checked.details[0]?.path;
  };
  const [one, other] = ['c@example.com', 'd@example.com'];
  expect([one, [one], [one, other]].map(replyTo)).toEqual([[one], [one], [one, other]]);
  expect([[], '', null].map(replyTo)).toEqual([undefined, undefined, undefined]);
  expect(replyTo([one, 'd'])).toBe('reply_to[1]');
});

test('addresses may be empty texts; a template may have a subject beside it, which an empty one is not', () => {
  const read = (more: object) => {
    const checked = checkEmail({ ...email, ...more });
    return checked.ok ? checked.value : checked.details;
  };
  expect(read({ cc: '', bcc: '', reply_to: '' })).toMatchObject({ recipients: { length: 1 } });
  const template = { id: 'tpl_01jd8x4z3kf5t8r9w2m6q7v0ab' };
  expect(read({ template, text: undefined, subject: 'own' })).toMatchObject({ subject: 'own' });
  expect(read({ template, text: undefined, subject: '' })).toMatchObject({ subject: '' });
  expect(read({ to: '' })).toMatchObject([{ path: 'to' }]);
});

test('header fields that mail libraries add are left out', () => {
  const headers = {
    'Message-ID': '<a@b.cd>',
    date: 'x',
    'Mime-Version': '1.0',
    Sender: 'x@y.z',
    'X-Own': '1',
  };
  const checked = checkEmail({ ...email, headers });
  expect(checked).toMatchObject({ ok: true, value: { headers: [{ name: 'X-Own', value: '1' }] } });
});

test('files are base64, octets, or a Buffer in JSON; inline_content_id is a content id', () => {
  const content = Buffer.from('hello');
  const read = (file: object) => {
    const checked = checkEmail({ ...email, attachments: [{ filename: 'a', ...file }] });
    return checked.ok ? checked.value.attachments[0] : checked.details;
  };
  for (const given of [
    content.toString('base64'),
    [...content],
    JSON.parse(JSON.stringify(content)) as object,
  ])
    expect(read({ content: given, inline_content_id: 'logo' })).toEqual({
      filename: 'a',
      content,
      contentId: 'logo',
    });
  expect(read({ content: { type: 'Buffer', data: [256] } })).toMatchObject([
    { path: 'attachments[0].content' },
  ]);
});

test('a property that was emptied is not the text null', () => {
  const contact = { attributes: { a: null, b: 1, c: 'x' } } as unknown as Parameters<typeof toProperties>[0];
  expect(toProperties(contact)).toEqual({
    b: { type: 'number', value: 1 },
    c: { type: 'string', value: 'x' },
  });
});

test('attachments by the hundred thousand are refused before they are looked at', () => {
  const attachments = Array.from({ length: 500_000 }, () => ({ path: 'https://a.test/b' }));
  let checked: ReturnType<typeof checkEmail> | undefined;
  expect(threadMs(() => (checked = checkEmail({ ...email, attachments })))).toBeLessThan(250);
  expect(checked).toMatchObject({ ok: false });
  expect(checked?.ok === false && checked.details.length).toBeLessThan(20);
});
