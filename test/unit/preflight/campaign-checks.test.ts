// What is said about the words and the audience of a campaign.

import { expect, test } from 'vitest';

import { checkCampaign, type CampaignFacts } from '../../../core/preflight/campaign-checks.ts';
import type { CheckId } from '../../../core/preflight/rules.ts';
import { planSending } from '../../../core/warmup/sending-plan.ts';
import { usedVariables } from '../../../core/preflight/used-variables.ts';
import { countThreadMs } from '../../harness/thread-time.ts';

const BASE = 'https://mail.postrider.example/u/';
const LEAVE = `<a href="${BASE}abc">Unsubscribe</a>`;

function checkOf(id: CheckId, words: { html?: string; text?: string }, more: Partial<CampaignFacts> = {}) {
  const { html = '', text = '' } = words;
  const facts: CampaignFacts = {
    samples: [{ html, plainHtml: html, text }],
    problem: null,
    used: { required: [], printed: [] },
    lacking: { recipients: 10, byName: new Map() },
    audience: { total: 10, sendable: 8, unsubscribed: 1, suppressed: 1, leftOut: [] },
    ownDomains: ['news.shop.example'],
    unsubscribeBase: BASE,
    ...more,
  };
  return checkCampaign(facts).find((check) => check.id === id)!;
}

test.each([
  [LEAVE, 'pass'],
  [`<a style="x" href='${BASE}abc'><img src="leave.png"></a>`, 'pass'],
  ['<p>Hello</p>', 'fail'],
  [`<a href="${BASE}abc"></a>`, 'fail'],
  [`<a style="display:none" href="${BASE}abc">Unsubscribe</a>`, 'fail'],
  [`<p>${BASE}abc</p>`, 'fail'],
  ['<a href="https://shop.example/unsubscribe">Leave</a>', 'warn'],
])('unsubscribe link in %s: %s', (html, status) => {
  expect(checkOf('visible_unsubscribe', { html }).status).toBe(status);
});

// Rendered HTML is a tenant's: 125,000 looks at all of it kept an api for minutes.
test.each([
  ['empty links', `<a href="${BASE}a"></a>`],
  ['addresses in no tag', `${BASE}a `],
  ['half-open tags', `<a href="${BASE}a"><<<<<<<<<`],
])('5 MiB of %s cost little time', (_, piece) => {
  const html = piece.repeat(Math.floor((5 * 1024 * 1024) / piece.length));
  const took = countThreadMs();
  checkOf('visible_unsubscribe', { html });
  expect(took()).toBeLessThan(3_000);
});

test('the text part needs the link too', () => {
  expect(checkOf('visible_unsubscribe', { html: LEAVE, text: 'Hello' }).status).toBe('warn');
  expect(checkOf('visible_unsubscribe', { text: `Hello\n${BASE}abc` }).status).toBe('pass');
  expect(checkOf('visible_unsubscribe', { text: 'Hello' }).status).toBe('fail');
});

test('HTML over 102 kB is clipped by Gmail', () => {
  expect(checkOf('size', { html: 'x'.repeat(102 * 1024) }).status).toBe('pass');
  expect(checkOf('size', { html: 'x'.repeat(102 * 1024 + 1) }).status).toBe('warn');
});

test.each([
  ['https://news.shop.example/a', 'pass'],
  ['https://img.news.shop.example/a', 'pass'],
  ['https://www.shop.example/a', 'pass'],
  ['https://shop.example/a', 'pass'],
  ['https://bit.ly/a', 'warn'],
  ['https://notshop.example/a', 'warn'],
  [`${BASE}abc`, 'pass'],
])('a link to %s: %s', (href, status) => {
  expect(checkOf('links', { html: `<a href="${href}">x</a>` }).status).toBe(status);
});

test('variables: required ones fail, printed ones warn, and a template that does not render fails', () => {
  const lacking = { recipients: 10, byName: new Map([['city', 3]]) };
  const asked = (used: CampaignFacts['used']) => checkOf('variables', {}, { lacking, used });
  expect(asked({ required: ['city'], printed: [] })).toMatchObject({
    status: 'fail',
    found: expect.stringContaining('city: 3 of 10'),
  });
  expect(asked({ required: [], printed: ['city'] }).status).toBe('warn');
  expect(asked({ required: [], printed: ['email'] }).status).toBe('pass');
  expect(checkOf('variables', {}, { samples: [], problem: 'took too long' }).status).toBe('fail');
});

test('an audience of nobody fails', () => {
  const audience = { total: 2, sendable: 0, unsubscribed: 2, suppressed: 0, leftOut: [] };
  expect(checkOf('audience', {}, { audience }).status).toBe('fail');
});

test('what a template prints is found, but for what has a default or is made in it', () => {
  const variables = [
    { name: 'code', required: true, default: null },
    { name: 'shop', required: false, default: 'Acme' },
  ];
  const html =
    '{{ first_name | default: "you" }} {{city}} {{ code }} {{ shop }} {% for item in items %}{{ item.name }}{% endfor %}';
  expect(usedVariables({ subject: 'Hi {{ last_name | upcase }}', html, text: null, variables })).toEqual({
    required: ['code'],
    printed: ['last_name', 'city'],
  });
});

const PLANNED = {
  tier: 0,
  state: 'active' as 'active' | 'held' | 'paused',
  used: 30,
  bulkUsed: 0,
  cap: 50,
  transactionalReserve: 10,
  bulkLimit: null as number | null,
  brake: 'off' as const,
  waiting: { transactional: 5, bulk: 0 },
  lastDay: null,
  today: '2026-11-23',
};

test('the plan fills each day like the gate: what waits first, the reserve stays free', () => {
  const plan = planSending(200, PLANNED);
  expect(plan.days).toEqual([
    { date: '2026-11-23', tier: 0, bulkCap: 45, sends: 15 },
    { date: '2026-11-24', tier: 1, bulkCap: 90, sends: 90 },
    { date: '2026-11-25', tier: 2, bulkCap: 225, sends: 95 },
  ]);
  expect(plan.left).toBe(0);
  expect(planSending(5, null)).toMatchObject({ days: [], left: 5 });
  expect(planSending(5, { ...PLANNED, state: 'paused' })).toMatchObject({ days: [], left: 5 });
});

test('a campaign for a later day finds the tier of that day, and waiting mail gone', () => {
  const waiting = { transactional: 0, bulk: 400 };
  expect(planSending(200, { ...PLANNED, waiting }, '2026-11-25').days).toEqual([
    { date: '2026-11-26', tier: 3, bulkCap: 450, sends: 200 },
  ]);
});

test('the plan keeps to the limit of the sender rules', () => {
  const held = { ...PLANNED, tier: 8, state: 'held' as const, used: 0, cap: 25_000 };
  const waiting = { transactional: 0, bulk: 0 };
  const { days } = planSending(12_000, { ...held, transactionalReserve: 0, bulkLimit: 5_000, waiting });
  expect(days.map(({ sends }) => sends)).toEqual([5_000, 5_000, 2_000]);
});
