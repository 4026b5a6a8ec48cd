// What a message gets on its way out: links that lead over us, and a pixel. The same message gets the same bytes on
// every attempt, but for the host of its links: what counts is whether the tracking host is live then.

import type { Config } from '../base/config.ts';
import { endOfBody } from './html-tags.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { makeToken, trackingKeys, type TokenKind } from './token.ts';
import { trackingBase } from './unsubscribe-url.ts';

/** Of the message: whose it is. */
export interface TrackedMessage {
  /** UUID. */
  id: string;
  tenantId: string;
  /** Of its domain, while it is live: links lead over it, and without one over our own host. */
  trackingHost?: string | null;
}

/** What its sender wished; both are on unless switched off. */
export interface TrackingWishes {
  trackOpens?: boolean | undefined;
  trackClicks?: boolean | undefined;
}

// Characters. Links are looked for on the event loop: 20 to 50 ms for this much, whatever it is. Longer HTML, which no
// mailbox provider shows whole, keeps its links.
const MAX_HTML_WITH_LINKS = 1024 * 1024;

/** Makes the function that adds tracking to the HTML of a message. Keys are derived once, here. */
export function createDecorate(config: Pick<Config, 'PUBLIC_URL' | 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>) {
  const [key] = trackingKeys(config);
  return function decorate(message: TrackedMessage, wishes: TrackingWishes, written: string): string {
    const base = trackingBase(config, message.trackingHost ?? null);
    // To leave is no click on what was offered, and must work however the link is opened.
    const isOwn = (target: string) => target.startsWith(`${base}/u/`);
    const url = (path: string, kind: TokenKind, text: string) =>
      `${base}/${path}/${makeToken(kind, { messageId: message.id, tenantId: message.tenantId, text }, key)}`;
    let html = written;
    if (html.length <= MAX_HTML_WITH_LINKS && wishes.trackClicks !== false)
      html = rewriteLinks(html, (target) => (isOwn(target) ? null : url('t/c', 'c', target)));
    return html === '' || wishes.trackOpens === false ? html : withPixel(html, url('t/o', 'o', ''));
  };
}

// At the end, where it delays nothing that is to be seen.
function withPixel(html: string, url: string): string {
  const pixel = `<img src="${url}" width="1" height="1" alt="" style="display:block;border:0;height:1px;width:1px">`;
  const at = endOfBody(html);
  return html.slice(0, at) + pixel + html.slice(at);
}
