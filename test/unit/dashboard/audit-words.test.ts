// Audit rows as sentences: every action that is written has one, and names lead to their pages.

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { auditSentence } from '../../../dashboard/src/pages/audit/audit-words.ts';

const text = (...entry: Parameters<typeof auditSentence>) =>
  auditSentence(...entry)
    .map((part) => part.text)
    .join('');

test('who did what to what', () => {
  const details = { name: 'web shop', scopes: ['transactional:send', 'events:read'] };
  expect(auditSentence('api_key.created', 'key_1', details)).toEqual([
    { text: 'created the API key ' },
    { text: 'web shop', href: '/api-keys' },
    { text: ' with the scopes ' },
    { text: 'transactional:send, events:read' },
  ]);
  expect(text('domain.failed', 'dom_1', { name: 'a.example', reason: null })).toBe(
    'stopped sending from a.example',
  );
  expect(text('domain.failed', 'dom_1', { name: 'a.example', reason: 'gone' })).toBe(
    'stopped sending from a.example: gone',
  );
  expect(text('sign_in.failed', 'nobody', { method: 'saml', why: 'expired' })).toBe(
    'failed to sign in by saml: expired',
  );
  expect(text('future.thing_done', 'x', null)).toBe('future thing done');
});

test('what people named their things is text, and never a part of the sentence', () => {
  const name = '[x|y] {scopes} ({name}) <img src=x>';
  expect(auditSentence('api_key.created', 'key_1', { name })).toContainEqual({
    text: name,
    href: '/api-keys',
  });
});

test('every action that core writes has a sentence', () => {
  const sources = globSync('core/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  const written = sources.flatMap((source) =>
    [...source.matchAll(/(?:action(?:: | = )|[eE]ntry\()'([a-z_]+\.[a-z_]+)'/g)].map((match) => match[1]!),
  );
  expect(written.length).toBeGreaterThan(50);
  for (const action of new Set(written))
    expect(text(action, 'x', {}), action).not.toBe(action.replaceAll(/[._]/g, ' '));
});
