// RESULTS.md: one section per part with the commit, day and command of its last run, so that running one part again
// leaves the figures of the others, visibly older, in place.

import type { Figure } from './figure.ts';
import { formatTarget, formatValue, verdict } from './figure.ts';
import type { PartName } from './options.ts';

/** What a part measured, and when. */
export interface PartResult {
  part: PartName;
  /** Short hash, with `+` when files differed from it. */
  commit: string;
  /** UTC, to the minute. */
  at: string;
  command: string;
  machine: Record<string, string>;
  figures: Figure[];
}

/** All parts, by name: bench/results.json. */
export type Results = Partial<Record<PartName, PartResult>>;

/** A sentence per figure id, kept by hand between runs: bench/notes.json. */
export type Notes = Record<string, string>;

const TITLES: Record<PartName, string> = {
  gate: 'Warm-up gate alone',
  'send-path': 'One key at its limit of 600 requests a minute (REST)',
  saturation: 'Many tenants at once (REST)',
  'mixed-templates': 'Templates and raw HTML, single and batch (REST)',
  grpc: 'gRPC',
  'one-tenant': 'One tenant beside 16 (gRPC)',
  'end-to-end': 'Accepted, signed, delivered',
  inbound: 'Inbound mail',
  webhooks: 'Event webhooks',
  submission: 'SMTP submission',
  compat: 'Other services’ clients',
  bounces: 'Bounce classes',
  import: 'Import of contacts',
  campaign: 'Campaigns',
  search: 'Finding a message among 5 million of one tenant',
  find: 'One search over messages, contacts, suppressions and campaigns, among 5 million messages',
  paging: 'Pages of lists at any depth, of 5 million rows each',
  tail: 'Following events',
  dashboard: 'The dashboard, in Chromium',
  nights: 'The nightly jobs',
  storage: 'What a message takes on disk',
  midnight: 'Idle senders, and a million deferred messages at midnight',
  memory: 'Memory',
  peers: 'Beside Postfix and Haraka',
  start: 'Start, and a stack that does nothing',
  attacks: 'While a client without an account attacks',
};

const INTRO = `# Measured speed

Written by \`npm run bench\`; do not edit. Why a target was missed stands in \`bench/notes.json\`.
Load generators, stores, services and mail sink share the machine. A raw limit is the same thing done by the least code
that can do it, measured in the same run.`;

/** The whole file. */
export function renderResults(results: Results, order: readonly PartName[], notes: Notes): string {
  const parts = order.flatMap((name) => (results[name] ? [results[name]] : []));
  const machine = usualMachine(parts);
  const sections = parts.map((part) => renderPart(part, machine, notes));
  return `${[INTRO, renderMachine(machine), ...sections].filter((text) => text !== '').join('\n\n')}\n`;
}

/** One part: where it stands, its table, and what is to be said about misses. */
function renderPart(result: PartResult, usual: PartResult['machine'], notes: Notes): string {
  const where = isSame(result.machine, usual) ? '' : `, on ${result.machine['CPU']}`;
  const rows = result.figures.map((figure) => `| ${renderRow(figure).join(' | ')} |`);
  const lines = [
    `## ${TITLES[result.part]}`,
    '',
    `Commit ${result.commit}, ${result.at}, \`${result.command}\`${where}`,
    '',
    '| what | target | measured | raw limit | met? |',
    '|---|---|---|---|---|',
    ...rows,
  ];
  const remarks = result.figures.flatMap((figure) => renderRemark(figure, notes[figure.id]));
  return [...lines, ...(remarks.length > 0 ? ['', ...remarks] : [])].join('\n');
}

/** The cells of one figure. */
function renderRow(figure: Figure): string[] {
  const { what, detail, target, unit, value, raw } = figure;
  return [
    detail === undefined ? what : `${what} (${detail})`,
    formatTarget(target, unit),
    formatValue(value, unit),
    raw === undefined ? '' : `${formatValue(raw.value, raw.unit)} ${raw.what}`,
    verdict(figure),
  ].map((cell) => cell.replaceAll('|', '\\|'));
}

function renderRemark(figure: Figure, note: string | undefined): string[] {
  const missed = verdict(figure).startsWith('missed');
  if (!missed && note === undefined) return [];
  const start = missed ? `- ${figure.what}: ${verdict(figure)}.` : `- ${figure.what}:`;
  return [`${start} ${note ?? `(no note yet: \`${figure.id}\` in bench/notes.json)`}`];
}

// The machine of the newest part; a part that ran on another one says so through its commit and day.
function renderMachine(machine: PartResult['machine']): string {
  const rows = Object.entries(machine).map(([name, value]) => `| ${name} | ${value} |`);
  return ['| machine | |', '|---|---|', ...rows].join('\n');
}

// The machine of most parts; the others name theirs.
function usualMachine(parts: PartResult[]): PartResult['machine'] {
  const times = (one: PartResult) => parts.filter(({ machine }) => isSame(machine, one.machine)).length;
  return parts.toSorted((a, b) => times(b) - times(a) || b.at.localeCompare(a.at))[0]?.machine ?? {};
}

function isSame(a: PartResult['machine'], b: PartResult['machine']): boolean {
  return a['CPU'] === b['CPU'];
}
