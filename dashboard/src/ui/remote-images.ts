// Whether HTML mail loads anything from elsewhere. Anybody may have written it, so the pattern takes linear time.

const REMOTE = /(?:(?:src|background|srcset)\s*=|url\()\s*(?:["']\s*)?(?:https?:)?\/\//i;

/** Whether the HTML names an image of another host. */
export function hasRemoteImages(html: string): boolean {
  return REMOTE.test(html);
}
