// What it costs to refuse, or to take, the worst documents that the limits let in: counted in visits where that is
// possible, and in processor time with a margin of ten.

import { globSync, readFileSync } from 'node:fs';

import fc from 'fast-check';
import { getIntrospectionQuery, parse, specifiedRules, validate } from 'graphql';
import { describe, expect, test } from 'vitest';

import {
  MAX_DOCUMENT_LENGTH,
  MAX_ERRORS,
  MAX_INTROSPECTION_DEPTH,
  MAX_LINES,
  MAX_NESTING,
  MAX_SELECTIONS,
  MAX_TOKENS,
  measureDocument,
  parseBounded,
} from '../../../api/graphql/limits.ts';
import { buildSchema } from '../../../api/graphql/schema.ts';
import { threadMs } from '../../harness/thread-time.ts';

const schema = buildSchema();
validate(schema, parse(getIntrospectionQuery())); // what is built once is no cost of a document

const fragments = (count: number, body: (at: number) => string, on = 'Query') =>
  Array.from({ length: count }, (_, at) => `fragment f${at} on ${on} {${body(at)}}`).join(' ');
const chain = (count: number, next: (name: string) => string) =>
  fragments(count, (at) => (at < count - 1 ? next(`...f${at + 1}`) : '__typename'));
const listed = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join(' ');
const spreadsOfAll = (count: number) =>
  fragments(count, (at) => `id ${listed(count, (to) => (to === at ? '' : `...f${to}`))}`, 'Node');

/** Refuses as the server does: parsed, measured, and only then given to the rules. */
function examine(source: string) {
  const look = () => {
    const document = parseBounded(source);
    const { problem, selections } = measureDocument(document);
    const errors =
      problem === null ? validate(schema, document, specifiedRules, { maxErrors: MAX_ERRORS }) : [];
    return { problem, selections, errors };
  };
  return { ...look(), ms: threadMs(look) };
}

describe('documents that unfold', () => {
  test.each([
    ['each fragment spreads the next one twice', `{...f0} ${chain(190, (next) => `${next} ${next}`)}`],
    ['each in inline fragments', `{...f0} ${chain(110, (next) => `...{${next}} ...{${next}}`)}`],
    [
      'each in fields with aliases',
      `{...f0} ${fragments(60, (at) => `a:node{...f${at + 1}} b:node{...f${at + 1}}`, 'Node')}`,
    ],
    ['one that nothing spreads', `{__typename} ${chain(190, (next) => `${next} ${next}`)}`],
    [
      'two of one name',
      `{__typename} fragment f on Query {__typename} fragment f on Query {${'viewer{user{id}} '.repeat(250)}}`,
    ],
    ['every fragment spreads all others', `{node(id:"a"){...f0}} ${spreadsOfAll(30)}`],
    [
      'many operations',
      `${listed(200, (at) => `query q${at}{...f0}`)} ${chain(20, (next) => `${next} ${next}`)}`,
    ],
    ['one field again and again', `{${'viewer{user{id}} '.repeat(280)}}`],
    ['one leaf again and again', `{${'__typename '.repeat(1_900)}}`],
    ['one alias for many fields', `{${listed(600, (at) => `a:f${at}`)}}`],
    ['levels', `${'{viewer'.repeat(MAX_NESTING)}${'}'.repeat(MAX_NESTING)}`],
    ['inline levels', `${'{...'.repeat(MAX_NESTING - 1)}{__typename}${'}'.repeat(MAX_NESTING - 1)}`],
  ])('%s', (_name, source) => {
    const { problem, selections, errors, ms } = examine(source);
    expect(problem ?? errors[0]?.message ?? null).toEqual(
      _name === 'inline levels' ? null : expect.any(String),
    );
    expect(selections).toBeLessThanOrEqual(MAX_SELECTIONS + 1);
    expect(ms).toBeLessThan(500);
  });
});

describe('documents that the rules look at', () => {
  const repeated = 'viewer{user{id email} user{id email}} ';
  test.each([
    ['unknown fields', `{${listed(1_900, (at) => `f${at}`)}}`],
    ['unused variables', `query(${listed(480, (at) => `$v${at}:Int`)}){__typename}`],
    [
      'undefined variables',
      `{${listed(19, () => 'viewer{user{id}}')} ${listed(200, (at) => `f${at}(a:$v${at})`)}}`,
    ],
    ['a list in a list', `{node(id:${'['.repeat(MAX_NESTING - 2)}${']'.repeat(MAX_NESTING - 2)}){id}}`],
    ['a long list', `{node(id:[${'1,'.repeat(1_900)}]){id}}`],
    ['as many repeats as may be', `{${repeated.repeat(10)}}`],
    ['repeats through fragments', `{...f0} ${fragments(19, (at) => `${repeated} ...f${at + 1}`)}`],
    ['unknown directives', `{__typename ${listed(19, (at) => `@d${at}`)}}`],
    ['lines before errors', `${'\n'.repeat(MAX_LINES - 1)}{${listed(1_000, (at) => `f${at}`)}}`],
  ])('%s', (_name, source) => {
    const { errors, ms } = examine(source);
    expect(errors.length).toBeLessThanOrEqual(MAX_ERRORS + 1);
    expect(ms).toBeLessThan(1_000);
  });

  test('a document of too many tokens or characters is not even parsed', () => {
    expect(() => parseBounded(`{${'a '.repeat(MAX_TOKENS)}}`)).toThrow('2000 tokens');
    expect(() => parseBounded(' '.repeat(MAX_DOCUMENT_LENGTH + 1))).toThrow('100000');
    expect(() => parseBounded(`${'\n'.repeat(MAX_LINES)}{a}`)).toThrow('2000 lines');
    expect(() => parseBounded(`{a(b:${'['.repeat(MAX_NESTING - 1)}`)).toThrow('200 levels');
    expect(() => parseBounded(`{a(b:${'['.repeat(50_000)}`)).toThrow('200 levels');
    expect(() => parseBounded(`{a(b:[${'[]'.repeat(500)}])}`)).not.toThrow();
  });
});

test('200 fragments that unfold to 2^200 fields are refused in the visits of a small document', () => {
  const document = parse(`{...f0} ${chain(200, (next) => `${next} ${next}`)}`);
  const { problem, selections } = measureDocument(document);
  expect(problem).not.toBeNull();
  expect(selections).toBeLessThanOrEqual(MAX_SELECTIONS + 1);
});

test('no document, however its fragments spread each other, costs more than its limit', () => {
  const spread = fc.record({ from: fc.nat(40), to: fc.nat(40), below: fc.boolean() });
  fc.assert(
    fc.property(fc.array(spread, { maxLength: 300 }), (spreads) => {
      const body = (at: number) =>
        spreads
          .filter(({ from }) => from === at)
          .map(({ to, below }) => (below ? `a { ...f${to} }` : `...f${to}`))
          .join(' ');
      const { selections } = measureDocument(parse(`{ ...f0 } ${fragments(41, (at) => `id ${body(at)}`)}`));
      expect(selections).toBeLessThanOrEqual(MAX_SELECTIONS + 1);
    }),
    { numRuns: 200 },
  );
});

test('the standard introspection is as deep as the limit, and every document of the dashboard is well below', () => {
  expect(measureDocument(parse(getIntrospectionQuery())).problem).toBeNull();
  const levels = (count: number) => `{__schema${'{a'.repeat(count - 1)}${'}'.repeat(count - 1)}}`;
  expect(measureDocument(parse(levels(MAX_INTROSPECTION_DEPTH))).problem).toBeNull();
  expect(measureDocument(parse(levels(MAX_INTROSPECTION_DEPTH + 1))).problem).toMatch(/levels deep/);
  const sources = globSync('dashboard/src/**/*.graphql');
  expect(sources.length).toBeGreaterThan(5);
  for (const path of sources) {
    const { problem, selections } = measureDocument(parse(readFileSync(path, 'utf8')));
    expect(problem, path).toBeNull();
    expect(selections, path).toBeLessThan(MAX_SELECTIONS / 2);
  }
});
