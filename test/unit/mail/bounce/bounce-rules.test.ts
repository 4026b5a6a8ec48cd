import { describe, expect, test } from 'vitest';
import { BOUNCE_CLASSES, type BounceClass } from '../../../../core/mail/bounce/bounce-classes.ts';
import type { BounceRule } from '../../../../core/mail/bounce/rule.ts';
import { BOUNCE_RULES } from '../../../../core/mail/bounce/rules.ts';
import {
  classifyBounce,
  MAX_CLASSIFIED_CHARS,
  type BounceInput,
} from '../../../../core/mail/bounce/classify-bounce.ts';
import { parseReply } from '../../../../core/mail/smtp-reply.ts';
import { threadMs } from '../../../harness/thread-time.ts';

function inputOf(rule: BounceRule, example: string): BounceInput {
  const reply = parseReply(example) ?? { code: null, enhanced: null, text: example };
  const host = rule.host ? 'inbound-smtp.us-east-1.amazonaws.com' : null;
  return { reply, host, stage: rule.stage ?? 'smtp', command: rule.command?.[0] ?? null };
}

describe('each row of the bounce table', () => {
  for (const rule of BOUNCE_RULES) {
    test(`${rule.id} (${rule.class}) is hit by its own examples and by no earlier row`, () => {
      expect(rule.examples.length).toBeGreaterThan(0);
      for (const example of rule.examples) {
        const bounce = classifyBounce(inputOf(rule, example));
        expect(`${bounce.ruleId} ← ${example}`).toBe(`${rule.id} ← ${example}`);
        expect(bounce.class).toBe(rule.class);
      }
    });
  }
});

test('row ids are unique, and every class but uncategorized has a row', () => {
  const ids = BOUNCE_RULES.map((rule) => rule.id);
  expect(new Set(ids).size).toBe(ids.length);
  const unused = (Object.keys(BOUNCE_CLASSES) as BounceClass[]).filter(
    (name) => !BOUNCE_RULES.some((rule) => rule.class === name),
  );
  expect(unused).toEqual(['uncategorized']);
});

test('only hard classes suppress, and no infrastructure class does', () => {
  for (const facts of Object.values(BOUNCE_CLASSES)) {
    if (facts.suppresses) expect(facts.kind).toBe('hard');
    if (facts.infrastructure) expect(facts.suppresses).toBe(false);
    expect(facts.meaning.length).toBeGreaterThan(10);
  }
});

test('patterns are lower case and take no flags, as the text they see', () => {
  for (const { id, text } of BOUNCE_RULES) {
    if (!text) continue;
    expect(`${id}:${text.flags}`).toBe(`${id}:`);
    expect(text.source.replace(/\\[A-Za-z]/g, ''), id).not.toMatch(/[A-Z]/);
  }
});

test('patterns stay fast on text made to hurt them', () => {
  const pieces = [
    'a',
    ' ',
    '.',
    'user ',
    'sender address ',
    'domain of ',
    'quota exceeded ',
    'blocked by a.',
    'host ',
    '5',
    '@',
    'a@',
  ];
  for (const piece of pieces) {
    const text = piece.repeat(MAX_CLASSIFIED_CHARS).slice(0, 100_000);
    const ms = threadMs(() => classifyBounce({ reply: { code: 550, enhanced: null, text } }));
    expect(ms, piece).toBeLessThan(250); // 3 ms were measured; a report may quote a hundred such replies
  }
});
