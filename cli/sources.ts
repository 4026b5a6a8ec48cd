// `sources`: the addresses that mail leaves from.

import { readSources, type SourceState } from '../core/source/sources.ts';
import type { Command } from './command.ts';

/** The command. */
export const sources: Command = {
  name: 'sources',
  help: 'lists the addresses of EGRESS_POOLS: how much a new one may send today, and which providers refuse which',
  args: [],
  options: {},
  async run({ db, config }) {
    const found = await readSources({ db, config: config() });
    return {
      json: { sources: found },
      text: found.length === 0 ? 'EGRESS_POOLS names no address.' : found.map(lineOf).join('\n'),
    };
  },
};

function lineOf({ pool, address, hostname, warmup, rests }: SourceState): string {
  const state = warmup ? `tier ${warmup.tier}, ${warmup.used} of ${warmup.cap} today` : 'not limited';
  const refused = rests.map(({ provider, until }) => `; rests for ${provider} until ${until.toISOString()}`);
  return `${pool}  ${address}  ${hostname}  ${state}${refused.join('')}`;
}
