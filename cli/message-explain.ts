// `message explain`: every decision about a message, in words.

import { notFound } from '../core/base/errors.ts';
import { fromId } from '../core/base/ids.ts';
import { toDecisionView, type DecisionView } from '../core/message/decision-view.ts';
import { explainMessage } from '../core/message/explain.ts';
import { findTenantOf } from '../core/message/explain-store.ts';
import type { Buckets } from '../core/db/buckets.ts';
import type { Command } from './command.ts';

/** The command. */
export const messageExplain: Command = {
  name: 'message explain',
  help: 'says why a message stands where it stands: every decision about it, with its numbers',
  args: ['MESSAGE'],
  options: {},
  async run({ buckets }, [id = '']) {
    const uuid = fromId('msg', id);
    const decisions = uuid && (await explain(buckets, uuid));
    if (!decisions) throw notFound(`message "${id}"`);
    const views = decisions.map(toDecisionView);
    return { json: { decisions: views }, text: views.map(lines).join('\n') };
  },
};

// Nothing in its id says where a message is.
async function explain(buckets: Buckets, uuid: string) {
  for (const bucket of await buckets.list()) {
    const { pool } = buckets.database(bucket);
    const tenantId = await findTenantOf(pool, uuid);
    if (tenantId !== null) return explainMessage(pool, tenantId, uuid);
  }
  return null;
}

function lines({ at, rule, inputs, outcome, next_step: nextStep, docs }: DecisionView): string {
  const repeated = typeof inputs['times'] === 'number' ? ` (${inputs['times']} times)` : '';
  return [
    `${at}  ${rule}${repeated}`,
    `  ${outcome.text.replaceAll('\n', ' ')}`,
    `  ${nextStep}`,
    `  ${docs}`,
  ].join('\n');
}
