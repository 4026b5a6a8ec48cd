// What `GET /transactional/{id}/explain` says, from an api that is started for the question: for worlds without one.

import { toId } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import type { DecisionView } from '../../core/message/decision-view.ts';
import { TESTER } from './actor.ts';
import { startApi } from './api-world.ts';
import type { Context } from './context.ts';

/** The decisions about a message, as its tenant reads them. */
export async function readExplanation(
  context: Context,
  tenantId: string,
  id: string,
): Promise<DecisionView[]> {
  const wanted = { tenantId, scopes: ['transactional:read'], name: 'explain' };
  const { value: key } = await createKey(context, TESTER, wanted);
  const config = { ...context.config, SENDER_ADDRESSES: ['127.0.0.1:1'] }; // reading needs no sender
  const api = await startApi({ ...context, config }, context.log);
  const { json } = await api.call('GET', `/transactional/${toId('msg', id)}/explain`, { key });
  await api.close();
  return (json as { data: { decisions: DecisionView[] } }).data.decisions;
}
