// Does what the plan says at its times, whatever becomes of it.

import { setTimeout as wait } from 'node:timers/promises';

import { seeded } from '../../local/simulate/behaviour.ts';
import { journalMs, type Journal } from '../journal.ts';
import type { Action } from './action.ts';
import { createWorkshop, type WorkshopDeps } from './workshop.ts';
import { createClient, type Answer } from './work.ts';

/** What driving needs. */
export interface LoadDeps extends WorkshopDeps {
  journal: Journal;
  seed: number;
  onAnswer(action: Action, answer: Answer): void;
}

/** Resolves when the plan is done and everything has its answer. */
export async function driveLoad(deps: LoadDeps, plan: Action[]): Promise<void> {
  const random = seeded(deps.seed + 1);
  const { journal, storeMs } = deps;
  const client = createClient({ journal, prefix: 'r', random, storeMs });
  const make = createWorkshop(deps, random);
  const underWay = new Set<Promise<void>>();
  const perform = async (action: Action) => {
    const work = await make.work(action);
    if (work === null) return;
    const ask = () => client.perform(work).then((answer) => deps.onAnswer(action, answer));
    await Promise.all(Array.from({ length: action.do === 'send' ? action.copies : 1 }, ask));
    if (action.do === 'send' && action.clashes) await client.perform(make.other(action, work.once!));
  };
  const startedAt = journalMs();
  for (const action of plan) {
    await wait(Math.max(0, action.at - (journalMs() - startedAt)));
    const one = perform(action)
      .catch((error: unknown) => {
        deps.journal.append({ kind: 'trouble', what: `${action.do}: ${String(error)}` });
      })
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }
  await Promise.all(underWay);
  make.close();
}
