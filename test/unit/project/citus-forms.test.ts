// SQL that a Citus cluster refuses, as far as it can be seen in the text (docs/citus.md). What cannot is found by the stories of
// test/flow on a cluster: TEST_RECORD=citus.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const STATEMENT = /\b(insert into|update \w+|delete from)\b/i;
const TIME_BESIDE_COLUMNS =
  /\bcase\b(?:(?!\bend\b).)*\b(now|clock_timestamp)\(\)|\bcoalesce\([^()]*\b(now|clock_timestamp)\(\)/s;
const NOW = /\b(now\(\)|clock_timestamp\(\))/i;

const OF_PARTITIONS = /\b(from|join) (messages|events|event_log|message_attempts|message_contents)\b/;

/** Why a statement is refused on a cluster; null when nothing is seen. */
function unfit(sql: string): string | null {
  const text = sql.toLowerCase();
  if (!STATEMENT.test(text)) return null;
  if (/\bctid::|::tid\b/.test(text)) return 'a ctid that leaves the statement: it does not survive a move';
  const [first] = /\b(insert into|update|delete from|select)\b/.exec(outsideParentheses(text)) ?? [];
  if (/^\s*with\b/.test(text) && first === 'insert into')
    return 'WITH before INSERT: put it behind the columns, or make the INSERT one of its queries';
  if (/^\s*insert into event_outbox\b/.test(text) && OF_PARTITIONS.test(outsideParentheses(text)))
    return 'rows of partitions into a table with a counted key: nothing is inserted; read them in a WITH ... AS MATERIALIZED';
  const [, onConflict = ''] = text.split(/\bdo update\b/);
  if (NOW.test(onConflict)) return 'a time in DO UPDATE: insert it and take `excluded`';
  const [, returning = ''] = outsideParentheses(text).split(/\breturning\b/);
  if (/\bnow\(\)|::text/.test(returning))
    return 'RETURNING of what depends on a setting: compute it in a query before';
  if (
    /^\s*(update|delete)\b/.test(text) &&
    TIME_BESIDE_COLUMNS.test(text.replaceAll(/\(select coalesce\([^()]*\(\)\) as now\)/g, ''))
  )
    return 'a time in CASE or COALESCE of what writes: take `clock.now` (core/db/citus-forms.ts)';
  for (const [, assignments = ''] of text.matchAll(/\bset\b(.*?)(?:\bwhere\b|\bfrom\b|\breturning\b|$)/gs)) {
    if (TIME_BESIDE_COLUMNS.test(assignments))
      return 'a time beside columns in CASE or COALESCE: take `clock.now` (core/db/citus-forms.ts)';
    if (/[a-z_]\s*[+-]\s*interval\b/.test(assignments))
      return 'a column with an interval: use later() (core/db/citus-forms.ts)';
    if (/\bclock_timestamp\(\)/.test(assignments))
      return 'a VOLATILE function in an UPDATE: take RUNNING_CLOCK (core/db/citus-forms.ts)';
  }
  return null;
}

function outsideParentheses(text: string): string {
  let depth = 0;
  let outside = '';
  for (const letter of text) {
    if (letter === ')') depth -= 1;
    if (depth === 0) outside += letter;
    if (letter === '(') depth += 1;
  }
  return outside;
}

// Template literals; what is put into them counts as nothing.
function statementsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [...source.matchAll(/`((?:[^`\\]|\\.)*)`/g)].map(([, sql = '']) =>
    sql.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x'),
  );
}

const FILES = globSync('{api,cli,core,inbound,scheduler,sender}/**/*.ts', { cwd: ROOT });

test('no statement has a form that Citus refuses', () => {
  expect(FILES.length).toBeGreaterThan(300);
  const found = FILES.flatMap((file) =>
    statementsOf(file).flatMap((sql) => {
      const why = unfit(sql);
      return why === null ? [] : [`${file}: ${why}\n${sql}`];
    }),
  );
  expect(found).toEqual([]);
});

describe('refuses', () => {
  test.each([
    'delete from t where ctid = any($1::tid[])',
    'with a as (select 1) insert into t (x) select * from a',
    'insert into event_outbox (id) select m.id from unnest($1::uuid[]) q(id) join messages m on m.id = q.id',
    'insert into t (x) values (1) on conflict (x) do update set at = now()',
    'insert into t (x) values (1) returning now() as now',
    'update t set at = case when done then now() end',
    `update t set at = at + interval '1 hour'`,
  ])('%s', (sql) => expect(unfit(sql)).not.toBeNull());
});

describe('takes', () => {
  test.each([
    'insert into t (x) with a as (select 1) select * from a',
    'with a as (insert into t (x) values (1)) select now() as now',
    `update t set at = now() + interval '1 hour'`,
    'update t set at = case when done then clock.now end from (select now() as now) as clock',
    'insert into t (x, at) values (1, now()) on conflict (x) do update set at = excluded.at',
  ])('%s', (sql) => expect(unfit(sql)).toBeNull());
});
