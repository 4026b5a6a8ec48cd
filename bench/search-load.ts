// Part "search": pages of GET /transactional by each filter and the usual mixtures of them, with values frequent, rare
// and absent, at any depth, among 5 million messages of one tenant; and what the index that makes them fast costs.

import pg from 'pg';

import { newUuid } from '../core/base/ids.ts';
import { MESSAGE_STATES } from '../core/message/states.ts';
import { listMessages } from '../core/message/list-messages.ts';
import type { MessageFilter } from '../core/message/message-list-store.ts';
import { indexMessages } from '../core/message/search/segments.ts';
import type { Figure } from './figure.ts';
import { fillMessages, type Filled } from './search-fill.ts';
import type { Bench } from './stack/bench.ts';

const ROWS = 5_000_000;
const QUICK_ROWS = 500_000;
const TRIES = 200;
const PAGE = 101; // a page of 100 and the row that shows that there is more
const SAMPLES = 2_000;
const P99_MS = 50;

/** A message to make questions of. */
export interface Sample {
  id: string;
  to: string;
  subject: string;
  user: string;
}

/** The messages that are there. */
export interface World extends Filled {
  samples: Sample[];
}

/** Runs the part. */
export function measureSearch(bench: Bench): Promise<Figure[]> {
  return withMessages(bench, async ({ pool, world, index }) => {
    const pages: Figure[] = [];
    for (const [what, filter] of shapes(world)) {
      const figure = await measureShape(pool, world, what, filter);
      bench.log(`${what}: ${figure.detail}, p99 ${figure.value.toFixed(1)} ms`);
      pages.push(figure);
    }
    return [...pages, ...index];
  });
}

/** Runs `work` on a database of its own with millions of messages of one tenant, indexed; `index` is what that cost. */
export async function withMessages(
  bench: Bench,
  work: (filled: { pool: pg.Pool; world: World; index: Figure[] }) => Promise<Figure[]>,
): Promise<Figure[]> {
  const name = bench.freshName();
  const url = new URL(bench.servers.databaseUrl);
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  pool.on('error', () => {}); // its last connection may still be closing when the database goes
  try {
    const rows = bench.options.quick ? QUICK_ROWS : ROWS;
    const filled = await fillMessages(pool, url.href, rows);
    bench.log(`${rows.toLocaleString('en')} messages are there`);
    const index = await measureIndex(pool, rows);
    bench.log('they are indexed');
    const world = { ...filled, samples: await takeSamples(pool, rows) };
    return await work({ pool, world, index });
  } finally {
    await pool.end();
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

async function measureIndex(pool: pg.Pool, rows: number): Promise<Figure[]> {
  const startedAt = performance.now();
  const signal = new AbortController().signal;
  while ((await indexMessages(pool, signal)) > 0);
  const us = ((performance.now() - startedAt) * 1_000) / rows;
  await pool.query('vacuum analyze message_segments');
  await pool.query('vacuum analyze message_terms');
  const { rows: sizes } = await pool.query<{ octets: string }>(
    `select sum(pg_total_relation_size(inhrelid)) as octets from pg_inherits
     where inhparent in ('message_segments'::regclass, 'message_terms'::regclass)`,
  );
  return [
    { id: 'search.index.time', what: 'Indexing a message, in the scheduler', value: us / 1_000, unit: 'ms' },
    {
      id: 'search.index.size',
      what: 'Octets of the index for a message',
      value: Number(sizes[0]!.octets) / rows,
      unit: '',
    },
  ];
}

async function takeSamples(pool: pg.Pool, rows: number): Promise<Sample[]> {
  const { rows: samples } = await pool.query<Sample>(
    `select id, rcpt_to as "to", subject, tags->1->>'value' as user from messages
     where hashtext(id::text) % $1 = 0`,
    [Math.max(1, Math.trunc(rows / SAMPLES))],
  );
  return samples;
}

type MakeFilter = (sample: Sample) => MessageFilter;

// In every try the values are those of another message, chosen at random.
function shapes({ campaigns }: World): [string, MakeFilter][] {
  const part = ({ to }: Sample, chars: number) => to.slice(2, 2 + chars);
  const number = ({ subject }: Sample) => /\d+/.exec(subject)?.[0] ?? 'password';
  const day = (sample: Sample) => new Date(Number.parseInt(sample.id.slice(0, 13).replace('-', ''), 16));
  const absent = (sample: Sample) => sample.to.replace('.', '').replace(/\d+/, '');
  return [
    ['no filter', () => ({})],
    ['to: whole address', (sample) => ({ to: sample.to })],
    ['to: 3 characters of an address', (sample) => ({ to: part(sample, 3) })],
    ['to: 8 characters of an address', (sample) => ({ to: part(sample, 8) })],
    ['to: the number in an address', (sample) => ({ to: sample.to.replace(/^\D+/, '') })],
    ['to: half of all (gmail.com)', () => ({ to: '@gmail.com' })],
    ['to: nobody, of frequent parts', (sample) => ({ to: absent(sample) })],
    ['to: nobody', (sample) => ({ to: `nobody${sample.user}@example.org` })],
    ['q: a word of a third (order)', () => ({ words: ['order'] })],
    ['q: two frequent words', () => ({ words: ['your', 'shipped'] })],
    ['q: the number of one message', (sample) => ({ words: [number(sample)] })],
    ['q: frequent words, never together', () => ({ words: ['password', 'order'] })],
    ['q: a word of none', (sample) => ({ words: [`x${sample.user}`] })],
    ...MESSAGE_STATES.map((status): [string, MakeFilter] => [`status: ${status}`, () => ({ status })]),
    ['tag: half of all', () => ({ tag: { name: 'kind', value: 'receipt' } })],
    ['tag: one user', ({ user }) => ({ tag: { name: 'user', value: user } })],
    ['tag: one in 100,000', () => ({ tag: { name: 'vip', value: null } })],
    ['tag: none', () => ({ tag: { name: 'nothing', value: null } })],
    ['domain: of most', () => ({ domain: 'shop.example' })],
    ['domain: of one in 1,000, the oldest', () => ({ domain: 'old.example' })],
    ['domain: of none', () => ({ domain: 'none.example' })],
    ['campaign: a fifth of all, in one day', () => ({ campaignId: campaigns.large })],
    ['campaign: 250 messages', () => ({ campaignId: campaigns.small })],
    ['campaign: none', () => ({ campaignId: newUuid() })],
    ['since and until, a day', (s) => ({ since: day(s), until: new Date(day(s).getTime() + 86_400_000) })],
    ['bounced, of a domain', () => ({ status: 'bounced', domain: 'news.example' })],
    ['bounced, of a large campaign', () => ({ status: 'bounced', campaignId: campaigns.large })],
    ['bounced, of a small campaign', () => ({ status: 'bounced', campaignId: campaigns.small })],
    [
      'delivered, of a campaign that waits whole',
      () => ({ status: 'delivered', campaignId: campaigns.deferred }),
    ],
    ['delivered, to an address', ({ to }) => ({ status: 'delivered', to })],
    ['bounced, to a part of an address', (sample) => ({ status: 'bounced', to: part(sample, 6) })],
    ['delivered, a word of a third', () => ({ status: 'delivered', words: ['order'] })],
    ['bounced, one user', ({ user }) => ({ status: 'bounced', tag: { name: 'user', value: user } })],
    ['bounced, a day', (s) => ({ status: 'bounced', until: day(s) })],
    ['to a part, a frequent word', (sample) => ({ to: part(sample, 8), words: ['order'] })],
    ['to a part, in a campaign', (sample) => ({ to: part(sample, 6), campaignId: campaigns.large })],
    [
      'domain and tag, both frequent, never together',
      () => ({ domain: 'old.example', tag: { name: 'kind', value: 'news' } }),
    ],
    ['word and domain, before a day', (s) => ({ words: ['invoice'], domain: 'shop.example', until: day(s) })],
  ];
}

// Every second page is the first one, the others begin at a random message.
async function measureShape(
  pool: pg.Pool,
  { tenantId, samples }: World,
  what: string,
  filter: MakeFilter,
): Promise<Figure> {
  const ms: number[] = [];
  let found = 0;
  for (let at = -10; at < TRIES; at++) {
    const [one, deep] = [pick(samples), pick(samples)];
    const page = { limit: PAGE, before: at % 2 === 0 ? undefined : deep.id };
    const wanted = filter(one);
    const startedAt = performance.now();
    const rows = await listMessages(pool, tenantId, wanted, page);
    if (at < 0) continue; // the first ones warm caches up
    ms.push(performance.now() - startedAt);
    found += rows.length;
  }
  return figureOf(`search.${what}`, what, ms, found / TRIES, P99_MS);
}

/** The p99 of some times in ms, each of which found `rows` on average. */
export function figureOf(id: string, what: string, ms: number[], rows: number, atMost: number): Figure {
  const sorted = ms.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  const detail = `median ${at(0.5).toFixed(1)} ms, ${rows.toFixed(0)} rows`;
  return { id, what, detail, value: at(0.99), unit: 'ms', target: { atMost } };
}

/** One of them, at random. */
export function pick<T>(from: T[]): T {
  return from[Math.floor(Math.random() * from.length)]!;
}
