// The page in which the dashboard shows foreign HTML. It has no origin (sandbox), so it reaches nothing of the
// dashboard; its policy lets its own one script run, known by its hash, and nothing of the mail. The dashboard hands it
// the HTML by message; it answers with its height. Whether the mail is shown in the dark is the dashboard's choice, not that of the
// reader's system: what the mail asks of the color scheme is answered here.

import { createHash } from 'node:crypto';

const SCRIPT = `
const UNWANTED = 'script,base,meta,link,iframe,frame,frameset,object,embed,applet';
const withPictures = location.pathname.endsWith('/pictures');
const reportHeight = () => { // with the scroll bar of what is wider than the frame
  const { offsetHeight, clientHeight } = document.documentElement;
  parent.postMessage(offsetHeight + innerHeight - clientHeight, '*');
};
// What the policy would refuse is taken out: each refusal is an error in the reader's console.
const isAllowed = (url) => /^\\s*data:/i.test(url) || (withPictures && /^\\s*(https?:)?\\/\\//i.test(url));
const allowedStyle = (css) => css.replace(/@import[^;]*;?/gi, '').replace(/@font-face[^{]*\\{[^}]*\\}/gi, '')
  .replace(/url\\(\\s*["']?([^)]*)\\)/gi, (all, url) => isAllowed(url) ? all : 'none');
// Event handlers are refused while they are parsed. Each tag is read once, so any mail takes linear time.
const withoutHandlers = (html) => html.replace(/<[a-z][^<>]*>/gi, (tag) =>
  tag.replace(/("[^"]*"|'[^']*')|(?<=[\\s"'\\/])on(?=[a-z]+\\s*=)/gi, (all, quoted) => quoted ? all : 'data-on'));
const removeRefused = (mail) => {
  for (const style of mail.querySelectorAll('style')) style.textContent = allowedStyle(style.textContent);
  for (const element of mail.querySelectorAll('[style]'))
    element.setAttribute('style', allowedStyle(element.getAttribute('style')));
  const isMedia = (element) => element.matches('video,audio,track,video source,audio source');
  for (const name of ['src', 'srcset', 'background', 'poster', 'href', 'xlink:href'])
    for (const element of mail.querySelectorAll('[' + name.replace(':', '\\\\:') + ']'))
      if (!element.matches('a,area') && (isMedia(element) || !isAllowed(element.getAttribute(name))))
        element.removeAttribute(name);
};
const scheme = (of, dark) => {
  if (of.media) of.media.mediaText = of.media.mediaText.replace(/\\(prefers-color-scheme:\\s*(dark|light)\\)/gi,
    (_, asked) => (asked.toLowerCase() === 'dark') === dark ? '(min-width: 0px)' : '(max-width: 0px)');
  for (const rule of of.cssRules ?? []) scheme(rule, dark);
};
addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data?.html !== 'string') return;
  const mail = new DOMParser().parseFromString(withoutHandlers(event.data.html), 'text/html');
  for (const element of mail.querySelectorAll(UNWANTED)) element.remove();
  removeRefused(mail);
  for (const link of mail.querySelectorAll('a[href],area[href]')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  document.body.replaceChildren(...mail.head.querySelectorAll('style'), ...mail.body.childNodes);
  document.body.style.cssText = mail.body.style.cssText;
  const dark = event.data.dark === true;
  document.documentElement.classList.toggle('dark', dark);
  for (const sheet of document.styleSheets) scheme(sheet, dark);
  reportHeight();
});
new ResizeObserver(reportHeight).observe(document.documentElement);
addEventListener('load', reportHeight, true);
parent.postMessage('ready', '*');
`;
const STYLE =
  'html{color-scheme:light;background:#fff;overflow-wrap:anywhere}body{margin:16px;font:14px/1.5 system-ui,sans-serif;color:#14181f}img{max-width:100%;height:auto}html.dark{color-scheme:dark;background:#121212}html.dark body{color:#e8eaed}';

/** The page. */
export const MAIL_FRAME = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mail</title><style>${STYLE}</style></head><body><script>${SCRIPT}</script></body></html>`;

const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** The page's content security policy; with `pictures` those of other servers are loaded. */
export function mailFramePolicy(pictures: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${SCRIPT_HASH}'`,
    "style-src 'unsafe-inline'",
    `img-src data:${pictures ? ' https: http:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
