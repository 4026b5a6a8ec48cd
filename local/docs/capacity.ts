// The table of docs/scaling.md: what so many messages a day take, from what `npm run bench` measured.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Figure } from '../../bench/figure.ts';
import type { Results } from '../../bench/report.ts';
import { settings } from '../../core/base/config.ts';

/** The busiest second of a day has so many times its mean. */
const PEAK = 5;
/** Of a core, at the peak: what is left is for retries, jobs of the night and a neighbour that failed. */
const BUSY = 0.6;
const MILLIONS = [1, 10, 100, 1_000];
const SECONDS_A_DAY = 86_400;
const GB = 1e9;

/** A row for each number of messages a day. */
export function capacityTable(): string {
  const results = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../bench/results.json'), 'utf8'),
  ) as Results;
  const cost = readCost(results);
  const columns = [
    'million a day',
    'a second, peak',
    'api, cores',
    'senders, cores',
    'PostgreSQL, cores',
    'Redis and NATS, cores',
    'memory of services',
    "indexes of a day's mail",
    'WAL at the peak',
    'disk of PostgreSQL',
  ];
  const rows = MILLIONS.map((millions) => rowOf(millions, cost));
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Of one message: milliseconds of a core, octets. */
interface Cost {
  api: number;
  sender: number;
  postgres: number;
  stores: number;
  wal: number;
  record: number;
  contents: number;
  indexes: number;
  /** MB of one process under load. */
  apiMb: number;
  senderMb: number;
}

function readCost(results: Results): Cost {
  const all = Object.values(results).flatMap((part) => part.figures);
  const figure = (id: string): Figure => {
    const found = all.find((one) => one.id === id);
    if (!found) throw new Error(`bench/results.json has no ${id}: npm run bench`);
    return found;
  };
  const parts = (id: string) => figure(id).parts ?? {};
  const [delivered, rest, disk] = [
    parts('end-to-end.cpu'),
    parts('saturation.delivering.cpu'),
    parts('end-to-end.disk'),
  ];
  const kB = 1_000;
  return {
    api: rest['api'] ?? Number.NaN,
    sender: delivered['sender'] ?? Number.NaN,
    postgres: delivered['postgres'] ?? Number.NaN,
    stores: (delivered['redis'] ?? 0) + (delivered['nats'] ?? 0),
    wal: figure('end-to-end.wal').value * kB,
    contents: disk['contents']! * kB,
    record: (figure('end-to-end.disk').value - disk['contents']!) * kB,
    indexes: disk['indexes']! * kB,
    apiMb: figure('memory.api.end').value,
    senderMb: figure('memory.sender.end').value,
  };
}

function rowOf(millions: number, cost: Cost): string[] {
  const messages = millions * 1e6;
  const peak = (messages / SECONDS_A_DAY) * PEAK;
  const cores = (ms: number) => (peak * ms) / 1000 / BUSY;
  // A process of Node fills one core, with its threads for signatures about two.
  const memory =
    Math.max(1, cores(cost.api)) * cost.apiMb + Math.max(1, cores(cost.sender) / 2) * cost.senderMb;
  const { RETENTION_MESSAGE_DAYS, RETENTION_CONTENT_DAYS } = settings.shape;
  const disk =
    messages *
    (cost.record * RETENTION_MESSAGE_DAYS.parse(undefined) +
      cost.contents * RETENTION_CONTENT_DAYS.parse(undefined));
  return [
    millions.toLocaleString('en-US'),
    Math.round(peak).toLocaleString('en-US'),
    ...[cost.api, cost.sender, cost.postgres, cost.stores].map((ms) => digits(cores(ms))),
    size(memory * 1e6),
    size(messages * cost.indexes),
    `${size(peak * cost.wal)}/s`,
    size(disk),
  ];
}

function size(octets: number): string {
  if (octets >= 1_000 * GB) return `${digits(octets / GB / 1_000)} TB`;
  return octets >= GB ? `${digits(octets / GB)} GB` : `${digits(octets / 1e6)} MB`;
}

function digits(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-US');
}
