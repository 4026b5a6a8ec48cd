// Postrider itself, with all of its stores: a kill meets PostgreSQL, Redis and NATS too.

import { createHttp } from '../load/http.ts';
import { makeWorld } from '../load/accounts.ts';
import type { Journal } from '../journal.ts';
import type { Outside } from '../outside.ts';
import { startStack } from '../stack/start-stack.ts';
import { untilItGreets, type MailServer } from './mail-server.ts';
import { DOMAIN } from './offer.ts';

/** What starting it needs. */
export interface PostriderInput {
  /** The checkout whose services run. */
  folder: string;
  runDir: string;
  journal: Journal;
  outside: Outside;
  say(line: string): void;
}

/** Starts it with one domain at the highest tier. */
export async function startPostrider({ say, ...input }: PostriderInput): Promise<MailServer> {
  const stack = await startStack({ ...input, log: say });
  const { http, close } = createHttp(stack.caFile);
  const domain = { name: DOMAIN, tier: 10, held: true, weight: 1 };
  const spec = {
    name: 'compare',
    plan: 'scale',
    part: 'mixed',
    domains: [domain],
    inbound: null,
    contacts: 0,
  } as const;
  const deps = { stack, outside: input.outside, http, webhookUrl: '', contact: () => '' };
  const world = await makeWorld(deps, [{ ...spec, domains: [domain] }]);
  const [{ submission }] = stack.apis as [(typeof stack.apis)[number]];
  const stores = Object.values(stack.stores);
  return {
    name: 'Postrider',
    login: { port: submission.port, apiKeys: world.accounts[0]!.sendKeys.map(({ value }) => value) },
    pids: () => [...stack.processes, ...stores].map((one) => one.pid()),
    kill: async () => {
      for (const one of [...stack.processes, ...stores]) one.kill();
    },
    restart: () => untilItGreets(submission.port), // what watches them starts them all again
    stop: async () => {
      await close();
      await stack.stop();
    },
  };
}
