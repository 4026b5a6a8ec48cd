// The rules by which decisions about messages are explained: all are there, their pages exist, and their words are whole.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { decisionsOf, deriveStanding, inWords } from '../../../core/message/explain.ts';
import type { Rule } from '../../../core/message/explain-rule.ts';
import { RULES, type DecisionRule } from '../../../core/message/explain-rules.ts';
import type { ExplainedMessage } from '../../../core/message/explain-store.ts';
import { DEFER_REASONS, MOVES } from '../../../core/message/states.ts';

const AT = new Date('2026-11-23T10:00:00Z');
const MIDNIGHT = new Date('2026-11-24T00:00:00Z');
const rules = Object.entries(RULES) as [DecisionRule, Rule][];

test('every statement that moves messages has a rule, and so has every reason to wait', () => {
  const covered = new Set<string>(rules.flatMap(([, { moves }]) => moves));
  expect(MOVES.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
  const elsewhere = { remote_4xx: 'retry', network: 'destination_rests', tls_policy: 'destination_rests' };
  for (const reason of DEFER_REASONS)
    expect(RULES).toHaveProperty({ ...elsewhere }[reason as 'network'] ?? reason);
});

describe.each(rules)('%s', (name, rule) => {
  test('leads to a page and a section that exist', () => {
    const [page = '', anchor] = rule.docs.split('#');
    const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text]) => slug(text!));
    if (anchor !== undefined) expect(headings).toContain(anchor);
  });

  test('has a whole sentence, also without any number', () => {
    const { outcome, nextStep } = inWords({
      rule: name,
      at: AT,
      inputs: { scheduled_at: AT, retry_in_ms: 0 },
    });
    expect(outcome.text).toMatch(/^[A-Z][^{}]*\S$/);
    expect(outcome.text).not.toMatch(/undefined|null|NaN| {2}/);
    expect(nextStep).toMatch(/\.$/);
  });
});

test('says the numbers of the cap and the time', () => {
  const inputs = { stream: 'transactional', tier: 2, cap: 250, used: 250, reserved: 0 };
  expect(inWords({ rule: 'warmup_cap', at: AT, inputs })).toMatchObject({
    outcome: {
      state: 'deferred',
      until: MIDNIGHT,
      text: "Waits until 2026-11-24 00:00 UTC: 250 of 250 messages of the day's cap (tier 2) are used.",
    },
    nextStep: 'It is released then, before newer mail, as far as the cap of that day allows.',
    docs: 'docs/warmup.md#the-curve',
  });
});

test('says which part of the cap is full', () => {
  const day = { tier: 2, cap: 250, used: 210, reserved: 0, bulk_used: 200, bulk_cap: 200 };
  expect(inWords({ rule: 'warmup_cap', at: AT, inputs: day }).outcome.text).toContain(
    '200 of 200 campaign messages',
  );
});

test('puts decisions between the attempts that they were made between, whatever the clocks said', () => {
  const message = explained({
    createdAt: new Date('2026-11-22T10:00:00Z'),
    dayCap: null,
    decisions: [
      { rule: 'warmup_cap', at: '2026-11-22T10:00:00Z', attempts: 0, inputs: {} },
      { rule: 'released', at: '2026-11-23T00:00:01Z', attempts: 0, inputs: {} },
      { rule: 'provider_limit', at: '2026-11-23T00:00:05Z', attempts: 1, inputs: { retry_in_ms: 5_000 } },
    ],
    attempts: [attempt(1, 'deferred'), attempt(2, 'delivered')],
    state: 'delivered',
  });
  const made = decisionsOf(message);
  expect(made.map(({ rule }) => rule)).toEqual([
    'warmup_cap',
    'released',
    'retry',
    'provider_limit',
    'delivered',
  ]);
  expect(deriveStanding(made)).toEqual({ state: 'delivered', until: null });
  expect(deriveStanding(made.slice(0, 4))).toEqual({
    state: 'deferred',
    until: new Date('2026-11-23T00:00:10Z'),
  });
});

test('of mail that was deferred before decisions were noted the row says why, and where it stands now', () => {
  const before = {
    dayCap: null,
    state: 'deferred',
    reason: 'warmup_cap',
    deferReason: 'warmup_cap',
  } as const;
  const [first, ...none] = decisionsOf(explained({ ...before, dueAt: MIDNIGHT })).map(inWords);
  expect(none).toEqual([]);
  expect(first).toMatchObject({
    rule: 'warmup_cap',
    inputs: { not_noted: true },
    outcome: { until: MIDNIGHT },
  });
  expect(first!.outcome.text).toBe("Waits until 2026-11-24 00:00 UTC: the day's cap is used.");

  const later = decisionsOf(explained({ ...before, dueAt: new Date('2026-11-26T00:00:00Z') }));
  expect(later.map(inWords).map(({ rule, outcome }) => [rule, outcome.text])).toEqual([
    ['warmup_cap', "Waits until 2026-11-24 00:00 UTC: the day's cap is used."],
    [
      'not_noted',
      'Waits until 2026-11-26 00:00 UTC (warmup_cap): an earlier version decided it, which noted no numbers.',
    ],
  ]);
  const released = {
    rule: 'released',
    at: '2026-11-26T00:00:01Z',
    attempts: 0,
    inputs: { cap: 250, used: 1 },
  };
  const gone = decisionsOf(
    explained({ ...before, decisions: [released], state: 'queued', dueAt: new Date(released.at) }),
  );
  expect(gone.map(({ rule }) => rule)).toEqual(['warmup_cap', 'released']);
});

test('of mail that was admitted before decisions were noted only that is said', () => {
  const made = decisionsOf(
    explained({ dayCap: null, attempts: [attempt(1, 'delivered')], state: 'delivered' }),
  );
  expect(made.map(inWords).map(({ outcome }) => outcome.text)).toEqual([
    'Accepted by an earlier version, which noted no decisions.',
    expect.stringMatching(/^Delivered in attempt 1/),
  ]);
  expect(deriveStanding(made)).toEqual({ state: 'delivered', until: null });
});

test('says what a provider takes, and by which outcomes a brake went on', () => {
  const text = (rule: DecisionRule, inputs: object) =>
    inWords({ rule, at: AT, inputs: { retry_in_ms: 60_000, ...inputs } }).outcome.text;
  const gmail = { provider: 'gmail', connections: 5, per_minute: 100 };
  expect(text('provider_limit', { ...gmail, limit: 'refused' })).toBe(
    'Waits until 2026-11-23 10:01 UTC: gmail takes 5 connections and 100 messages a minute of us, and refused one more connection.',
  );
  expect(text('provider_limit', { ...gmail, limit: 'pause' })).toContain(
    'gmail asked for a pause; after it, it takes 5 connections',
  );
  const cause = { brake: 'bulk', since: '2026-11-23T09:04:00Z', measure: 'bounces', bad: 24, of: 118 };
  expect(text('brake', cause)).toBe(
    'Waits until 2026-11-24 00:00 UTC: the same-day brake of the sending domain holds campaign mail since 2026-11-23 09:04 UTC: 24 of 118 messages tried today bounced.',
  );
  expect(text('brake', { ...cause, brake: 'all', transactional_only: true })).toContain(
    'holds all mail since 2026-11-23 09:04 UTC: 24 of 118 transactional messages tried today bounced',
  );
  expect(text('brake', { ...cause, transactional_only: true })).toMatch(
    /when it let transactional mail go again\.$/,
  );
});

test('refuses decisions that cannot follow each other', () => {
  const made = decisionsOf(explained({ attempts: [attempt(1, 'delivered')], state: 'delivered' }));
  expect(() => deriveStanding([...made, { rule: 'released', at: AT, inputs: {} }])).toThrow(
    'decision 2 (released) cannot follow delivered',
  );
  expect(() => deriveStanding(made.slice(1))).toThrow('cannot follow nothing');
  expect(() => deriveStanding([])).toThrow('one decision at least');
});

function explained(more: Partial<ExplainedMessage>): ExplainedMessage {
  return {
    state: 'queued',
    stream: 'transactional',
    esp: null,
    createdAt: AT,
    dayTier: null,
    dayCap: 250,
    dayUsed: null,
    dayReserved: null,
    decisions: null,
    reason: null,
    deferReason: null,
    heldBy: null,
    domainStatus: 'verified',
    suspendedAt: null,
    dueAt: null,
    readAt: AT,
    attempts: [],
    ...more,
  };
}

function attempt(number: number, outcome: 'deferred' | 'delivered') {
  const retryAt = outcome === 'deferred' ? MIDNIGHT : null;
  const reply = { command: 'DOT', smtpCode: 250, enhancedCode: null, reply: 'ok', bounceClass: null };
  const where = { esp: 'direct', mx: 'mx.example.net', provider: null, tlsPolicy: null };
  return { attempt: number, at: AT, outcome, retryAt, ...where, ...reply };
}

// As GitHub makes the anchor of a heading.
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
