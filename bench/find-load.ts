// Part "find": the one search of the dashboard (core/find/) among 5 million messages, 100,000 contacts, 50,000 suppressions and
// 2,000 campaigns of one tenant, by each thing that may be typed; and all of them mixed, which is what the target is for.

import type pg from 'pg';

import { toId } from '../core/base/ids.ts';
import { find } from '../core/find/find.ts';
import type { Figure } from './figure.ts';
import { figureOf, pick, withMessages, type Sample, type World } from './search-load.ts';
import type { Bench } from './stack/bench.ts';

const TRIES = 100; // of each kind of text
const WARM_UP = 5;
const P99_MS = 300;

const KINDS: readonly (readonly [what: string, textOf: (sample: Sample) => string])[] = [
  ['a whole address', ({ to }) => to],
  ['the name in an address', ({ to }) => to.replace(/\d*@.*/, '')],
  ['5 characters of an address', ({ to }) => to.slice(2, 7)],
  ['half of all addresses (gmail)', () => 'gmail'],
  ['nobody', ({ user }) => `nobody${user}@example.org`],
  ['words of a subject', ({ subject }) => subject],
  ['a word of a third (order)', () => 'order'],
  ['the number in a subject', ({ subject }) => /\d+/.exec(subject)?.[0] ?? 'password'],
  ['an address and a word', ({ to, subject }) => `${to.split('@')[0]}@ ${subject.split(' ').at(-1)}`],
  ['a tag with its value', ({ user }) => `user=${user}`],
  ['the id of a message', ({ id }) => toId('msg', id)],
];

/** Runs the part. */
export function measureFind(bench: Bench): Promise<Figure[]> {
  return withMessages(bench, async ({ pool, world }) => {
    await fillAccount(pool, world);
    const all: number[] = [];
    const figures: Figure[] = [];
    for (const [what, textOf] of KINDS) {
      const { ms, rows } = await ask(pool, world, textOf);
      all.push(...ms);
      figures.push(figureOf(`find.${what}`, what, ms, rows, P99_MS));
      bench.log(`${what}: p99 ${figures.at(-1)!.value.toFixed(1)} ms`);
    }
    return [figureOf('find.all', 'all of these, mixed', all, 0, P99_MS), ...figures];
  });
}

async function ask(pool: pg.Pool, { tenantId, samples }: World, textOf: (sample: Sample) => string) {
  const ms: number[] = [];
  let rows = 0;
  for (let at = -WARM_UP; at < TRIES; at++) {
    const text = textOf(pick(samples));
    const startedAt = performance.now();
    const found = await find(pool, tenantId, text);
    if (at < 0) continue; // the first ones warm caches up
    ms.push(performance.now() - startedAt);
    rows += Object.values(found).flat().length;
  }
  return { ms, rows: rows / TRIES };
}

// Contacts of the newest addresses, with ids in the order of time as ours are.
async function fillAccount(pool: pg.Pool, { tenantId }: World): Promise<void> {
  await pool.query(
    `insert into contacts (id, tenant_id, email, email_key, first_name)
     select id, $1, address, address, 'Ann' from (
       select distinct on (lower(rcpt_to)) id, lower(rcpt_to) as address from (
         select id, rcpt_to from messages where tenant_id = $1 order by id desc limit 120000) newest
       order by lower(rcpt_to), id limit 100000) addresses order by id`,
    [tenantId],
  );
  await pool.query(
    `insert into suppressions (tenant_id, email, reason)
     select tenant_id, email_key, 'bounce' from contacts where tenant_id = $1 limit 50000`,
    [tenantId],
  );
  await pool.query(
    `insert into campaigns (id, tenant_id, name, header_from, subject, audience)
     select uuid_floor(now() - n * interval '1 hour'), $1, 'News of week ' || n, 'a@shop.example', 'Orders of week ' || n, '{"all": true}'
     from generate_series(1, 2000) n`,
    [tenantId],
  );
  for (const table of ['contacts', 'suppressions', 'campaigns']) await pool.query(`vacuum analyze ${table}`);
}
