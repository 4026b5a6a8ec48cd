// Part "campaign": 100,000 recipients expanded into messages while receipts go out at 600 a minute, beside the same
// receipts on an idle system: with delivery held back, with one sender for all mail, and with a second one for bulk mail.

import { sleep } from '../core/base/clock.ts';
import { fromId, newUuid } from '../core/base/ids.ts';
import { insertCampaign, moveCampaign } from '../core/campaign/campaign-store.ts';
import type { Figure } from './figure.ts';
import { startReceipts } from './receipts.ts';
import { RECIPIENT_DOMAINS } from './sample-mail.ts';
import type { Bench } from './stack/bench.ts';
import { startStack, type Stack } from './stack/stack.ts';

const RECIPIENTS = 100_000;
const QUICK_RECIPIENTS = 20_000;
const WITHIN_S = 20; // for 100,000
const RECEIPT_EVERY_MS = 100; // 600 a minute
const IDLE_MS = 20_000;
const WARM_UP_MS = 4_000;
const LOOK_MS = 50;
const AFTER_MS = 3_000; // until the last receipts are recorded
const TIMES_IDLE = 3;

// Held back, so that expanding is measured by itself.
const WAYS = [
  { name: 'held', how: 'delivery held back', holdMail: true, bulkSender: false },
  { name: 'delivering', how: 'with delivery', holdMail: false, bulkSender: false },
  {
    name: 'bulk-sender',
    how: 'delivered by a second sender for bulk mail',
    holdMail: false,
    bulkSender: true,
  },
];
type Way = (typeof WAYS)[number];

/** Runs the part. */
export async function measureCampaign(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const way of WAYS) {
    const { holdMail, bulkSender } = way;
    const stack = await startStack(bench, {
      api: true,
      scheduler: true,
      holdMail,
      bulkSender,
      part: 'campaign',
    });
    try {
      figures.push(...(await measure(bench, stack, way)));
    } finally {
      await stack.close();
    }
  }
  return figures;
}

async function measure(bench: Bench, stack: Stack, { name, how, holdMail }: Way): Promise<Figure[]> {
  const recipients = bench.options.quick ? QUICK_RECIPIENTS : RECIPIENTS;
  const id = await prepare(stack, recipients);
  const receipts = await startReceipts(stack, RECEIPT_EVERY_MS);
  await sleep(WARM_UP_MS);
  receipts.take();
  const idleSince = new Date();
  await sleep(IDLE_MS);
  const idle = percentile(receipts.take(), 99);
  const busySince = new Date();
  const startedAt = performance.now();
  await moveCampaign(stack.db.pool, tenantOf(stack), id, { from: ['draft'], to: 'sending', task: 'expand' });
  while (!(await isExpanded(stack, id))) await sleep(LOOK_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  const busy = percentile(receipts.take(), 99);
  const busyUntil = new Date();
  await receipts.stop();
  const { rows } = await stack.db.pool.query<{ n: number; why: string | null }>(
    `select pause_message as why, (select count(*)::int from messages where campaign_id = c.id) as n
     from campaigns c where id = $1`,
    [id],
  );
  const [{ n, why } = { n: 0, why: null }] = rows;
  if (n !== recipients) throw new Error(`${n} messages for ${recipients} recipients: ${why ?? 'not paused'}`);
  bench.log(
    `${recipients} recipients in ${seconds.toFixed(1)} s; receipts p99 ${idle} ms idle, ${busy} ms busy`,
  );
  return [
    {
      id: `campaign.expand.${name}`,
      what: `Recipients expanded, ${how}`,
      detail: `${recipients} in ${seconds.toFixed(1)} s`,
      value: recipients / seconds,
      unit: '/s',
      target: { atLeast: RECIPIENTS / WITHIN_S },
    },
    ...(holdMail ? [] : [await deliveredFigure(stack, [idleSince, busySince, busyUntil], { name, how })]),
    {
      id: `campaign.receipts.${name}`,
      what: `p99 of the answers to receipts at 600 a minute meanwhile, ${how}`,
      value: busy,
      unit: 'ms',
      target: { atMost: idle * TIMES_IDLE },
      raw: { what: 'the same receipts, idle', value: idle, unit: 'ms' },
    },
  ];
}

// From the moment when a receipt was accepted to the end of its attempt, both by the database's clock.
async function deliveredFigure(
  { db, seed }: Stack,
  [idleSince, busySince, busyUntil]: [Date, Date, Date],
  { name, how }: Pick<Way, 'name' | 'how'>,
): Promise<Figure> {
  await sleep(AFTER_MS);
  const p99 = async (since: Date, until: Date) => {
    const { rows } = await db.pool.query<{ ms: number }>(
      `select (extract(epoch from a.at - m.created_at) * 1000 + a.duration_ms)::float8 as ms
       from messages m join message_attempts a on a.message_id = m.id
       where m.tenant_id = $1 and m.created_at >= $2 and m.created_at < $3`,
      [fromId('tnt', seed.tenants[1]!.id), since, until],
    );
    return percentile(
      rows.map(({ ms }) => ms),
      99,
    );
  };
  const idle = await p99(idleSince, busySince);
  return {
    id: `campaign.delivered.${name}`,
    what: `p99 of receipts meanwhile from accepted to delivered, ${how}`,
    value: await p99(busySince, busyUntil),
    unit: 'ms',
    target: { atMost: idle * TIMES_IDLE },
    raw: { what: 'the same receipts, idle', value: idle, unit: 'ms' },
  };
}

// The campaign's domain is not that of the receipts: its cap is used up by the campaign alone.
async function prepare(stack: Stack, recipients: number): Promise<string> {
  const tenantId = tenantOf(stack);
  await stack.db.pool.query(
    `insert into contacts (id, tenant_id, email, email_key, first_name, attributes)
     select gen_random_uuid(), $1, email, email, 'Name' || i,
       jsonb_build_object('city', 'City' || i % 300, 'plan', 'pro')
     from generate_series(1, $2::int) as i,
       lateral (select 'p' || i || '@' || ($3::text[])[1 + i % cardinality($3::text[])] as email) as address`,
    [tenantId, recipients, RECIPIENT_DOMAINS],
  );
  await stack.db.pool.query('analyze contacts');
  const id = newUuid();
  await insertCampaign(stack.db.pool, tenantId, id, {
    name: 'bench',
    from: `News <news@${stack.seed.tenants[0]!.domains[0]}>`,
    replyTo: null,
    subject: 'News for {{ first_name }}',
    templateId: null,
    html: '<p>Hello {{ first_name }} in {{ city }}</p>',
    text: null,
    audience: { all: true },
    trackOpens: null,
    trackClicks: null,
  });
  return id;
}

async function isExpanded(stack: Stack, id: string): Promise<boolean> {
  const { rowCount } = await stack.db.pool.query(
    `select from campaigns where id = $1 and (task <> 'expand' or task is null)`,
    [id],
  );
  return rowCount === 1;
}

function tenantOf(stack: Stack): string {
  return fromId('tnt', stack.seed.tenants[0]!.id)!;
}

/** The smallest of these times that so many percent do not exceed, in tenths. */
export function percentile(times: number[], percent: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1);
  return Math.round((sorted[at] ?? Number.NaN) * 10) / 10;
}
