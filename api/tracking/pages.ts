// The few pages that recipients see.

import { escapeHtml, plainPage, type Page } from '../plain-page.ts';

const RETRY_AFTER_SECONDS = '5';

/** Asks before anything changes: link scanners and prefetchers look at this page too. `email` may be empty. */
export function askPage(email: string): Page {
  const who = email === '' ? '' : ` <strong>${escapeHtml(email)}</strong>`;
  return plainPage(
    200,
    'Unsubscribe',
    `<p>Unsubscribe${who} from newsletters and other marketing mail of this sender?</p>
<form method="post" action="?page=1"><button type="submit">Unsubscribe</button></form>`,
  );
}

/** Says that it is done. */
export function donePage(email: string): Page {
  return plainPage(
    200,
    'Unsubscribed',
    `<p>This sender will not send newsletters or other marketing mail to <strong>${escapeHtml(email)}</strong>.</p>
<p>Messages without an unsubscribe link, such as password resets, are not affected.</p>`,
  );
}

/** For links that we did not make, or that somebody changed. */
export function unknownPage(): Page {
  return plainPage(
    404,
    'This link does not work',
    '<p>It is damaged or too old. Copy it whole from the message.</p>',
  );
}

/** For the moments in which we cannot keep what was asked. */
export function waitPage(): Page {
  const page = plainPage(
    503,
    'Please try again',
    '<p>This did not work just now. Try again in a few seconds.</p>',
  );
  return { ...page, headers: { ...page.headers, 'retry-after': RETRY_AFTER_SECONDS } };
}
