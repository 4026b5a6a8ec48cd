// Which opens and clicks were not a person's. A rule per line, with what it knows. Whatever no rule matches counts
// as a person: scanners that look like browsers are caught by their haste alone (HASTE_SECONDS).

/** What is known of a request. */
export interface Visitor {
  method: string;
  userAgent: string;
  /** The request's Purpose, Sec-Purpose and X-Purpose headers. */
  purposes: string[];
}

interface Rule {
  userAgent: RegExp;
  /** Who that is. */
  who: string;
}

/**
 * Opens and clicks that come sooner after the delivery are a scanner's that looks at all mail as it arrives. Mail
 * gateways do so at once; a person's mail program first has to learn that there is mail. (Mail to the simulator, which
 * developers read by program, is left out of this rule.)
 */
export const HASTE_SECONDS = 2;

/** User agents of machines. */
export const MACHINES: readonly Rule[] = [
  // Apple's relay loads all images of all mail, opened or not, and says no more than this.
  { userAgent: /^Mozilla\/5\.0$/, who: 'Apple Mail Privacy Protection' },
  // Gmail loads images of mail that arrives while its page is open. Not to be confused with its image proxy
  // (GoogleImageProxy), which loads them when the mail is opened: that is a person, and so is Yahoo's proxy.
  { userAgent: /Edge\/12\.246 Mozilla\/5\.0$/, who: 'Gmail prefetch' },
  {
    userAgent: /Microsoft Office Existence Discovery|Microsoft-CryptoAPI|SafeLinks/i,
    who: 'Microsoft link check',
  },
  {
    userAgent: /Barracuda|Proofpoint|Mimecast|MessageLabs|Symantec|Sophos|Cisco-?(IronPort|Umbrella)/i,
    who: 'mail gateway',
  },
  {
    userAgent: /TrendMicro|Trend ?Micro|FireEye|Trellix|Forcepoint|Zscaler|Cloudmark|Vade ?Secure/i,
    who: 'mail gateway',
  },
  { userAgent: /HeadlessChrome|PhantomJS|Puppeteer|Playwright/i, who: 'browser without a person' },
  {
    userAgent: /BingPreview|Google-?(Safety|Safe ?Browsing)|GoogleOther|Google Favicon/i,
    who: 'preview or safety check',
  },
  {
    userAgent:
      /facebookexternalhit|Slackbot|Twitterbot|WhatsApp|TelegramBot|Discordbot|LinkedInBot|SkypeUriPreview/i,
    who: 'link preview of a chat',
  },
  { userAgent: /\b\w*(?:bot|crawler|spider|scanner|linkcheck(?:er)?)\b/i, who: 'says so itself' },
];

/** Whether a request was a machine's, as far as it says so itself. */
export function isMachine({ method, userAgent, purposes }: Visitor): boolean {
  if (method === 'HEAD') return true; // programs that show mail load what they ask for
  if (purposes.some((purpose) => /prefetch|preview|prerender/i.test(purpose))) return true;
  return MACHINES.some((rule) => rule.userAgent.test(userAgent));
}
