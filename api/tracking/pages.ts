// The few pages that recipients see. No script, nothing from elsewhere.

/** A page, ready to answer. */
export interface Page {
  status: number;
  html: string;
  headers: Record<string, string>;
}

const TYPE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
};
const RETRY_AFTER_SECONDS = '5';

/** Asks before anything changes: link scanners and prefetchers look at this page too. `email` may be empty. */
export function askPage(email: string): Page {
  const who = email === '' ? 'you' : `<strong>${escape(email)}</strong>`;
  return make(
    200,
    'Unsubscribe',
    `<p>Shall ${who} get no more mail from this sender?</p>
<form method="post" action="?page=1"><button type="submit">Unsubscribe</button></form>`,
  );
}

/** Says that it is done. */
export function donePage(email: string): Page {
  return make(
    200,
    'Unsubscribed',
    `<p><strong>${escape(email)}</strong> gets no more mail from this sender.</p>`,
  );
}

/** For links that we did not make, or that somebody changed. */
export function unknownPage(): Page {
  return make(
    404,
    'This link does not work',
    '<p>It is damaged or too old. Copy it whole from the message.</p>',
  );
}

/** For the moments in which we cannot keep what was asked. */
export function waitPage(): Page {
  const page = make(
    503,
    'Please try again',
    '<p>This did not work just now. Try again in a few seconds.</p>',
  );
  return { ...page, headers: { ...page.headers, 'retry-after': RETRY_AFTER_SECONDS } };
}

function make(status: number, title: string, body: string): Page {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>
`;
  return { status, html, headers: TYPE };
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:10vh 1rem}
main{max-width:28rem;margin:0 auto}
h1{font-size:1.4rem}
strong{overflow-wrap:anywhere}
button{font:inherit;padding:.6rem 1.4rem;border:1px solid currentColor;border-radius:6px;cursor:pointer}
`;
