// The command line of the bench.

import { parseArgs } from 'node:util';

import { FEWEST_PAIRS } from './against/rule.ts';

/** The parts, in the order in which they run. */
export const PARTS = [
  'gate',
  'send-path',
  'saturation',
  'mixed-templates',
  'grpc',
  'one-tenant',
  'end-to-end',
  'inbound',
  'webhooks',
  'submission',
  'compat',
  'bounces',
  'import',
  'campaign',
  'search',
  'find',
  'paging',
  'tail',
  'dashboard',
  'nights',
  'storage',
  'midnight',
  'memory',
  'start',
  'attacks',
  'peers',
] as const;

/** The name of a part. */
export type PartName = (typeof PARTS)[number];

/** What was asked for. */
export interface Options {
  parts: PartName[];
  /** About a third of the time; figures are rougher and RESULTS.md is left alone. */
  quick: boolean;
  /** Whether a missed target is a failure. */
  strict: boolean;
  /** Sender processes. */
  senders: number;
  /** CPU profiles of api and sender, and RESULTS.md left alone: profiling slows them. */
  profile: boolean;
  /** A million messages in the memory part, 67 minutes. */
  million: boolean;
  /** RESULTS.md left alone. */
  dry: boolean;
  /** A file for the figures of this run, quick ones too. */
  results: string | null;
  /** The commit to compare with. */
  against: string | null;
  /** Pairs of runs of such a comparison. */
  pairs: number;
}

// What every message passes through, without k6. Twelve minutes for five pairs with --quick, half an hour without.
const COMPARED: PartName[] = ['gate', 'grpc', 'end-to-end', 'inbound', 'submission'];

/** How the command is used. `bench/against` reads USAGE, with its lines of --only and --results, in other commits. */
export const USAGE = `npm run bench [-- options] [part ...]
  --only a,b     parts: ${PARTS.join(', ')}
  --quick        about a third of the time; RESULTS.md stays as it is
  --senders N    sender processes (default 1)
  --profile      CPU profiles of api and sender in .local/bench/profiles; RESULTS.md stays as it is
  --peers        the part that runs Postfix and Haraka beside us, as --only peers
  --million      a million messages in the memory part (67 minutes)
  --strict       end with 1 if a target is missed
  --dry          print the figures, leave RESULTS.md as it is
  --results F    write the figures of this run to the file F too, as JSON
  --help         this text

npm run bench -- --against <commit> [part ...]
                 compares the files of this checkout (B) with a commit (A) in pairs of runs and judges each figure;
                 parts by default: ${COMPARED.join(', ')}
                 ends with 1 if a figure is worse, with 2 if they could not be compared
  --pairs N      pairs of runs (3 to 50, default 5): more pairs show smaller changes
  --quick, --senders N as above`;

const MOST_PAIRS = 50;

/** What was asked for, or why it cannot be. */
export function readOptions(args: string[]): Options | { problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        senders: { type: 'string', default: '1' },
        profile: { type: 'boolean', default: false },
        million: { type: 'boolean', default: false },
        peers: { type: 'boolean', default: false },
        dry: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        results: { type: 'string' },
        against: { type: 'string' },
        pairs: { type: 'string', default: '5' },
      },
    });
    const only = values.peers ? 'peers' : values.only;
    const named = [...(only?.split(',').map((part) => part.trim()) ?? []), ...positionals];
    const wanted = named.length > 0 ? named : values.against === undefined ? PARTS : COMPARED;
    const unknown = wanted.find((part) => !isPart(part));
    if (unknown !== undefined) return { problem: `there is no part "${unknown}"` };
    const senders = Number(values.senders);
    if (!Number.isInteger(senders) || senders < 1 || senders > 8)
      return { problem: '--senders takes 1 to 8' };
    const pairs = Number(values.pairs);
    if (!Number.isInteger(pairs) || pairs < FEWEST_PAIRS || pairs > MOST_PAIRS)
      return { problem: `--pairs takes ${FEWEST_PAIRS} to ${MOST_PAIRS}` };
    const { quick, profile, million, dry, strict, results = null, against = null } = values;
    if (against !== null && (profile || million || dry || results !== null))
      return { problem: '--against goes with --pairs, --quick, --senders and --only' };
    const parts = PARTS.filter((part) => wanted.includes(part));
    return { parts, quick, strict, senders, profile, million, dry, results, against, pairs };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function isPart(text: string): text is PartName {
  return (PARTS as readonly string[]).includes(text);
}
