// What is wrong with the words and the audience of a campaign. Pure.

import { rewriteLinks } from '../tracking/rewrite-links.ts';
import { makeCheck, type Check } from './check.ts';
import type { AudienceCounts, Lacking } from '../campaign/audience-store.ts';
import { GMAIL_CLIPS_AT } from './rules.ts';
import type { UsedVariables } from './used-variables.ts';

/** The message as one recipient would get it; `html` with the links of tracking, `plainHtml` without. */
export interface SampleMessage {
  html: string;
  plainHtml: string;
  text: string;
}

/** A campaign with everything that is known of it. */
export interface CampaignFacts {
  /** None when nothing could be rendered. */
  samples: SampleMessage[];
  /** Why a sample was not rendered. */
  problem: string | null;
  used: UsedVariables;
  lacking: Lacking;
  audience: AudienceCounts;
  /** The tenant's verified domains. */
  ownDomains: string[];
  /** Beginning of our links to leave, `https://…/u/`. */
  unsubscribeBase: string;
}

/** All checks of a campaign, in the order of the rules. */
export function checkCampaign(facts: CampaignFacts): Check[] {
  return [
    checkUnsubscribe(facts),
    checkVariables(facts),
    checkSize(facts),
    checkLinks(facts),
    checkAudience(facts),
  ];
}

const NOT_RENDERED = 'the message could not be rendered; see `variables`';

function checkUnsubscribe({ samples, unsubscribeBase }: CampaignFacts): Check {
  const expected = 'a link to unsubscribe that the reader sees, beside the one in the header';
  const [sample] = samples;
  if (!sample) return makeCheck('visible_unsubscribe', 'warn', NOT_RENDERED, expected);
  const { plainHtml, text } = sample;
  const fix = 'Put {{ unsubscribe_url }} into the message: <a href="{{ unsubscribe_url }}">Unsubscribe</a>';
  const inHtml = plainHtml === '' || showsLink(plainHtml, unsubscribeBase);
  const inText = text === '' || text.includes(unsubscribeBase);
  if (plainHtml === '' ? inText : inHtml)
    return plainHtml === '' || inText
      ? makeCheck('visible_unsubscribe', 'pass', 'found', expected)
      : makeCheck(
          'visible_unsubscribe',
          'warn',
          'only in the HTML part, not in the text part',
          expected,
          fix,
        );
  const own = linksOf(plainHtml).find((link) => /unsubscribe|opt-?out|abmeld|desinscri|desuscri/i.test(link));
  return own === undefined
    ? makeCheck('visible_unsubscribe', 'fail', 'none', expected, fix)
    : makeCheck(
        'visible_unsubscribe',
        'warn',
        `a link of your own (${own})`,
        expected,
        `${fix}, or tell us who left: POST /suppressions with the reason unsubscribe.`,
      );
}

// Each may cost a look at the whole HTML, 5 MiB at most; a message needs one.
const MOST_LINKS = 50;

// An `<a>` to the address with words or a picture in it, which is not hidden.
function showsLink(html: string, base: string): boolean {
  const lower = html.toLowerCase();
  let seen = 0;
  for (let at = html.indexOf(base); at >= 0 && seen < MOST_LINKS; at = html.indexOf(base, at + 1)) {
    seen++;
    const open = html.lastIndexOf('<', at);
    const end = html.indexOf('>', at);
    if (open < 0 || end < 0 || !/^<a\s/i.test(html.slice(open, open + 3))) continue;
    if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(html.slice(open, end))) continue;
    const close = lower.indexOf('</a', end);
    const inside = html.slice(end + 1, close < 0 ? undefined : close);
    if (/<img\b/i.test(inside) || inside.replace(/<[^<>]*>|&nbsp;/g, '').trim() !== '') return true;
  }
  return false;
}

function checkVariables({ problem, used, lacking }: CampaignFacts): Check {
  const expected = 'a value, or a default, of every variable for every recipient';
  const of = (names: string[]) =>
    names.flatMap((name) => {
      const count = lacking.byName.get(name);
      return count === undefined ? [] : [`${name}: ${counted(count)} of ${counted(lacking.recipients)}`];
    });
  const refused = of(used.required);
  if (refused.length > 0)
    return makeCheck(
      'variables',
      'fail',
      `recipients without a required variable, who get no message: ${refused.join(', ')}`,
      expected,
      'Give the variable a default in the template, or the contacts the attribute.',
    );
  if (problem !== null)
    return makeCheck(
      'variables',
      'fail',
      problem,
      expected,
      'Repair the template; its preview shows the same.',
    );
  const gaps = of(used.printed);
  if (gaps.length > 0)
    return makeCheck(
      'variables',
      'warn',
      `recipients who read a gap: ${gaps.join(', ')}`,
      expected,
      'Write {{ name | default: "…" }}, or give the contacts the attribute.',
    );
  const names = [...used.required, ...used.printed];
  return makeCheck(
    'variables',
    'pass',
    names.length === 0 ? 'none without a default' : `all recipients have ${names.join(', ')}`,
    expected,
  );
}

function checkSize({ samples }: CampaignFacts): Check {
  const expected = `HTML below ${GMAIL_CLIPS_AT / 1024} kB: Gmail cuts off the rest, and the link to unsubscribe with it`;
  if (samples.length === 0) return makeCheck('size', 'warn', NOT_RENDERED, expected);
  const largest = Math.max(...samples.map(({ html, text }) => Buffer.byteLength(html || text)));
  const found = `${(largest / 1024).toFixed(1)} kB, with the links of tracking`;
  return largest > GMAIL_CLIPS_AT
    ? makeCheck('size', 'warn', found, expected, 'Shorten the HTML: inlined styles and pictures weigh most.')
    : makeCheck('size', 'pass', found, expected);
}

function checkLinks({ samples, ownDomains, unsubscribeBase }: CampaignFacts): Check {
  const expected = 'links to your own domains: readers and filters judge mail by where it leads';
  const [sample] = samples;
  if (!sample) return makeCheck('links', 'warn', NOT_RENDERED, expected);
  const links = linksOf(sample.plainHtml).filter((link) => !link.startsWith(unsubscribeBase));
  const hosts = [...new Set(links.map((link) => new URL(link).hostname.toLowerCase()))];
  const foreign = hosts.filter((host) => !ownDomains.some((own) => isOwnHost(host, own)));
  const some = foreign.slice(0, 5).join(', ');
  return foreign.length === 0
    ? makeCheck(
        'links',
        'pass',
        links.length === 0 ? 'no links' : `all on ${hosts.slice(0, 5).join(', ')}`,
        expected,
      )
    : makeCheck(
        'links',
        'warn',
        `links to other hosts: ${some}${foreign.length > 5 ? ` and ${foreign.length - 5} more` : ''}`,
        expected,
        'Link to your own pages; replace short links by what they stand for.',
      );
}

// The domain, what is below it, and the site above a mail-only subdomain.
function isOwnHost(host: string, own: string): boolean {
  return (
    host === own ||
    host.endsWith(`.${own}`) ||
    host.replace(/^www\./, '') === own.split('.').slice(1).join('.')
  );
}

function linksOf(html: string): string[] {
  const links: string[] = [];
  rewriteLinks(html, (target) => {
    links.push(target);
    return null;
  });
  return links;
}

function checkAudience({ audience }: CampaignFacts): Check {
  const { total, sendable, unsubscribed, suppressed } = audience;
  const expected = 'recipients who want this mail';
  const found = `${counted(sendable)} of ${counted(total)} contacts get it; ${counted(unsubscribed)} unsubscribed, ${counted(suppressed)} suppressed`;
  return sendable === 0
    ? makeCheck(
        'audience',
        'fail',
        found,
        expected,
        'Choose a list, a tag or all contacts with subscribed contacts.',
      )
    : makeCheck('audience', 'pass', found, expected);
}

function counted(n: number): string {
  return n.toLocaleString('en');
}
