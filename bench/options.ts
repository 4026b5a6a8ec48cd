// The command line of the bench.

import { parseArgs } from 'node:util';

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
  /** Sender processes. */
  senders: number;
  /** CPU profiles of api and sender, and RESULTS.md left alone: profiling slows them. */
  profile: boolean;
  /** A million messages in the memory part, 67 minutes. */
  million: boolean;
  /** RESULTS.md left alone. */
  dry: boolean;
}

/** How the command is used. */
export const USAGE = `npm run bench [-- options]
  --only a,b     parts: ${PARTS.join(', ')}
  --quick        about a third of the time; RESULTS.md stays as it is
  --senders N    sender processes (default 1)
  --profile      CPU profiles of api and sender in .local/bench/profiles; RESULTS.md stays as it is
  --peers        the part that runs Postfix and Haraka beside us, as --only peers
  --million      a million messages in the memory part (67 minutes)
  --dry          print the figures, leave RESULTS.md as it is`;

/** What was asked for, or why it cannot be. */
export function readOptions(args: string[]): Options | { problem: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        senders: { type: 'string', default: '1' },
        profile: { type: 'boolean', default: false },
        million: { type: 'boolean', default: false },
        peers: { type: 'boolean', default: false },
        dry: { type: 'boolean', default: false },
      },
    });
    const only = values.peers ? 'peers' : values.only;
    const wanted = only?.split(',').map((part) => part.trim()) ?? [...PARTS];
    const unknown = wanted.find((part) => !isPart(part));
    if (unknown !== undefined) return { problem: `there is no part "${unknown}"` };
    const senders = Number(values.senders);
    if (!Number.isInteger(senders) || senders < 1 || senders > 8)
      return { problem: '--senders takes 1 to 8' };
    const { quick, profile, million, dry } = values;
    return { parts: PARTS.filter((part) => wanted.includes(part)), quick, senders, profile, million, dry };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function isPart(text: string): text is PartName {
  return (PARTS as readonly string[]).includes(text);
}
