// `message explain`: every decision about a message, in words.

import { notFound } from '../core/base/errors.ts';
import { fromId } from '../core/base/ids.ts';
import { toDecisionView, type DecisionView } from '../core/message/decision-view.ts';
import { explainMessage } from '../core/message/explain.ts';
import { findTenantOf } from '../core/message/explain-store.ts';
import type { Command } from './command.ts';

/** The command. */
export const messageExplain: Command = {
  name: 'message explain',
  help: 'says why a message stands where it stands: every decision about it, with its numbers',
  args: ['MESSAGE'],
  options: {},
  async run({ db }, [id = '']) {
    const uuid = fromId('msg', id);
    const tenantId = uuid && (await findTenantOf(db.pool, uuid));
    const decisions = uuid && tenantId ? await explainMessage(db.pool, tenantId, uuid) : null;
    if (!decisions) throw notFound(`message "${id}"`);
    const views = decisions.map(toDecisionView);
    return { json: { decisions: views }, text: views.map(lines).join('\n') };
  },
};

function lines({ at, rule, inputs, outcome, next_step: nextStep, docs }: DecisionView): string {
  const repeated = typeof inputs['times'] === 'number' ? ` (${inputs['times']} times)` : '';
  return [
    `${at}  ${rule}${repeated}`,
    `  ${outcome.text.replaceAll('\n', ' ')}`,
    `  ${nextStep}`,
    `  ${docs}`,
  ].join('\n');
}
