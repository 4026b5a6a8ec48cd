// What an email of Resend's API may hold, and how a contact's properties look there.

import { expect, test } from 'vitest';

import { checkEmail } from '../../../../api/compat/resend/email-input.ts';
import { toProperties } from '../../../../api/compat/resend/contact-view.ts';
import { threadMs } from '../../../harness/thread-time.ts';

const email = { from: 'a@example.org', to: 'b@example.com', subject: 's', text: 't' };

test('a list of addresses to reply to may hold one, or none', () => {
  const replyTo = (reply_to: unknown) => {
    const checked = checkEmail({ ...email, reply_to });
    return checked.ok ? checked.value.replyTo?.text : checked.details[0]?.path;
  };
  expect(['c@example.com', ['c@example.com'], [], null].map(replyTo)).toEqual([
    'c@example.com',
    'c@example.com',
    undefined,
    undefined,
  ]);
  expect(replyTo(['c@example.com', 'd@example.com'])).toBe('reply_to');
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
