// Pages for people who are not in the dashboard: one sentence and the next step. No script, nothing from elsewhere.

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

/** Makes a page. `body` and `head` are HTML: what comes from outside goes through `escapeHtml` first. */
export function plainPage(status: number, title: string, body: string, head = ''): Page {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${head}<title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>
`;
  return { status, html, headers: TYPE };
}

/** A text as HTML shows it. */
export function escapeHtml(text: string): string {
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
