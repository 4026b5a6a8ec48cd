// Machine or person: a test for each line of the table.

import { expect, test } from 'vitest';

import { isMachine, MACHINES } from '../../../core/tracking/machine.ts';

const by = (userAgent: string, more: { method?: string; purposes?: string[] } = {}) =>
  isMachine({ method: 'GET', purposes: [], ...more, userAgent });

const EXAMPLES: [string, string][] = [
  ['Apple Mail Privacy Protection', 'Mozilla/5.0'],
  [
    'Gmail prefetch',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
  ],
  ['Microsoft link check', 'Microsoft Office Existence Discovery'],
  ['mail gateway', 'Barracuda Sentinel (EE)'],
  ['mail gateway', 'Mozilla/5.0 (compatible; Trend Micro WTP)'],
  ['browser without a person', 'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/120.0.0.0 Safari/537.36'],
  ['preview or safety check', 'Mozilla/5.0 (Windows NT 6.1) BingPreview/1.0b'],
  ['link preview of a chat', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
  ['says so itself', 'Mozilla/5.0 (compatible; SomeBot/2.1)'],
];

test.each(EXAMPLES)('%s: %s', (who, userAgent) => {
  expect(by(userAgent)).toBe(true);
  expect(MACHINES.find((rule) => rule.userAgent.test(userAgent))?.who).toBe(who);
});

test('every line of the table has an example', () => {
  const shown = new Set(EXAMPLES.map(([, agent]) => MACHINES.find((rule) => rule.userAgent.test(agent))));
  expect(MACHINES.filter((rule) => !shown.has(rule))).toEqual([]);
});

test.each([
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36 Edg/120.0',
  'Thunderbird/115.0',
  'curl/8.5.0',
  '',
])('a person: %s', (userAgent) => {
  expect(by(userAgent)).toBe(false);
});

test('HEAD and prefetching are machines, whatever program it is', () => {
  expect(by('Thunderbird/115.0', { method: 'HEAD' })).toBe(true);
  expect(by('Thunderbird/115.0', { purposes: ['', 'prefetch;prerender', ''] })).toBe(true);
});
