// What an email of Resend's API may hold.

import { expect, test } from 'vitest';

import { checkEmail } from '../../../../api/compat/resend/email-input.ts';
import { threadMs } from '../../../harness/thread-time.ts';

test('attachments by the hundred thousand are refused before they are looked at', () => {
  const email = { from: 'a@example.org', to: 'b@example.com', subject: 's', text: 't' };
  const attachments = Array.from({ length: 500_000 }, () => ({ path: 'https://a.test/b' }));
  let checked: ReturnType<typeof checkEmail> | undefined;
  expect(threadMs(() => (checked = checkEmail({ ...email, attachments })))).toBeLessThan(250);
  expect(checked).toMatchObject({ ok: false });
  expect(checked?.ok === false && checked.details.length).toBeLessThan(20);
});
