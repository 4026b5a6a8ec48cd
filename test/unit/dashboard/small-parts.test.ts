// Parts of the dashboard that need no browser.

import { CombinedError } from 'urql';
import { expect, test } from 'vitest';

import {
  errorText,
  fieldErrors,
  fieldSentence,
  fieldSentences,
} from '../../../dashboard/src/graphql/error-text.ts';
import { nextPath } from '../../../dashboard/src/pages/entry/next-path.ts';
import { formatPercent } from '../../../dashboard/src/ui/format-number.ts';

test.each([
  ['', '/'],
  ['next=%2Fmessages%3Fstatus%3Dbounced', '/messages?status=bounced'],
  ['next=https%3A%2F%2Fevil.test%2F', '/'],
  ['next=%2F%2Fevil.test', '/'],
  ['next=%2F%5Cevil.test', '/'],
  ['next=javascript%3Aalert(1)', '/'],
  ['next=%2Fsign-in%3Fnext%3D%2F', '/'],
])('after signing in with ?%s one goes to %s', (search, path) => {
  expect(nextPath(search, 'https://localhost:8443')).toBe(path);
});

test('what the api says about fields comes under their names in the form', () => {
  const details = [
    { path: 'first_name', message: 'is too long' },
    { path: 'input.variables[1].name', message: 'is taken' },
    { path: 'x' },
  ];
  const refused = new CombinedError({
    graphQLErrors: [{ message: 'Check the fields.', extensions: { code: 'validation_failed', details } }],
  });
  expect(fieldErrors(refused)).toEqual([
    { path: 'firstName', message: 'is too long' },
    { path: 'variables.1.name', message: 'is taken' },
  ]);
  expect(errorText(refused)).toBe('Check the fields.');
  expect(fieldErrors(undefined)).toEqual([]);
  expect(errorText(new CombinedError({ networkError: new TypeError('fetch failed') }))).toContain(
    'cannot be reached',
  );
});

test.each([
  ['Subject', 'must not be empty', 'Subject is required.'],
  ['Endpoint URL', 'must start with https://', 'Endpoint URL must start with https://.'],
  ['Tier', 'Enter a whole number greater than 0.', 'Enter a whole number greater than 0.'],
])('the error of the field %s, %s, is a sentence', (label, message, sentence) => {
  expect(fieldSentence(label, message)).toBe(sentence);
});

test('errors of fields that the form does not show name the field', () => {
  expect(fieldSentences([{ path: 'totalTargetRecipients', message: 'must be at least 1' }])).toBe(
    'Total target recipients must be at least 1.',
  );
});

test.each([
  [0, '0 %'],
  [0.0002, '0.02 %'],
  [0.01138, '1.1 %'],
  [0.0996, '10 %'],
  [0.994, '> 99 %'],
  [1, '100 %'],
  [null, '–'],
])('the rate %s is %s', (fraction, text) => {
  expect(formatPercent(fraction)).toBe(text.replaceAll(' ', '\u00a0'));
});
