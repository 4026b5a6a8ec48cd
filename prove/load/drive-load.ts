// Does what the plan says at its times, whatever becomes of it.

import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';

import { toId } from '../../core/base/ids.ts';
import { seeded } from '../../local/simulate/behaviour.ts';
import { journalMs, type Journal } from '../journal.ts';
import type { Stack } from '../stack/stack.ts';
import type { Account, World } from './accounts.ts';
import { createGrpc } from './grpc.ts';
import type { Http } from './http.ts';
import { linesOf, toMime, writeLetter } from './letter.ts';
import type { Action, SendAction } from './plan-load.ts';
import { freshKey, graphqlWork, restWork, sendBody } from './rest.ts';
import { createSessions } from './sessions.ts';
import { inboundWork, submissionWork } from './smtp.ts';
import { createClient, type Answer, type Work } from './work.ts';

/** What driving needs. */
export interface LoadDeps {
  stack: Pick<Stack, 'apis' | 'senders' | 'inbounds' | 'caFile' | 'internalToken'>;
  world: World;
  journal: Journal;
  http: Http;
  seed: number;
  /** Milliseconds since the epoch by the store's calendar. */
  storeMs(): number;
  onAnswer(action: Action, answer: Answer): void;
}

type Send = Action & SendAction;

/** Resolves when the plan is done and everything has its answer. */
export async function driveLoad(deps: LoadDeps, plan: Action[]): Promise<void> {
  const random = seeded(deps.seed + 1);
  const client = createClient(deps.journal, random, deps.storeMs);
  const make = createWorkshop(deps, random);
  const underWay = new Set<Promise<void>>();
  const perform = async (action: Action) => {
    const work = await make.work(action);
    const ask = () => client.perform(work).then((answer) => deps.onAnswer(action, answer));
    await Promise.all(Array.from({ length: action.do === 'send' ? action.copies : 1 }, ask));
  };
  const startedAt = journalMs();
  for (const action of plan) {
    await wait(Math.max(0, action.at - (journalMs() - startedAt)));
    const one = perform(action);
    underWay.add(one);
    void one.finally(() => underWay.delete(one));
  }
  await Promise.all(underWay);
  make.close();
}

function createWorkshop(deps: LoadDeps, random: () => number) {
  const { stack, world, http } = deps;
  const origins = stack.apis.map(({ origin }) => origin);
  const rest = { http, origins };
  const grpc = createGrpc(
    stack.senders.map(({ host, port }) => `${host}:${port}`),
    stack.internalToken,
  );
  const sessions = createSessions(http);
  const submission = { endpoints: stack.apis.map((api) => api.submission), caFile: stack.caFile };

  function send(action: Send, account: Account): Work {
    const { way, domain, recipients } = action;
    const { tenant } = account;
    const apiKey = account.sendKeys[action.key]!;
    const once = action.once ? freshKey() : null;
    const about = { tenant, domain, recipients, once };
    const letter = writeLetter(domain, recipients, recipients[0]!, random);
    switch (way) {
      case 'rest':
        return restWork(rest, { ...about, via: 'rest', apiKey }, '/transactional/send', sendBody(letter));
      case 'batch': {
        const messages = recipients.map((to) => sendBody({ ...letter, to: [to] }));
        return restWork(rest, { ...about, via: 'batch', apiKey }, '/transactional/batch', { messages });
      }
      case 'grpc':
      case 'stream': {
        const id = () => toId('msg', v7({ msecs: deps.storeMs() }));
        return grpc.work({ ...about, via: way, once: once !== null && random() < 0.5 ? id() : once }, letter);
      }
      case 'graphql':
        return graphqlWork(rest, about, letter, {
          token: (endpoint) => sessions.token(account, origins[endpoint]!),
          forget: () => sessions.forget(account),
        });
      case 'submission': {
        const key = once === null ? [] : [`X-Postrider-Idempotency-Key: ${once}`];
        return submissionWork(
          submission,
          { ...about, apiKey },
          { mailFrom: `bounces@${domain}`, raw: toMime(letter, key) },
        );
      }
      default:
        return way satisfies never;
    }
  }

  // A campaign is made in two requests; only its launch sends anything.
  async function launch(domain: string, { tenant, writeKey, list }: Account): Promise<Work> {
    const body = {
      name: freshKey(),
      from: `News <news@${domain}>`,
      subject: 'News',
      text: 'What is new.',
      audience: { list_id: list!.id },
    };
    const headers = { 'idempotency-key': freshKey() };
    for (let n = 0; ; n++) {
      const url = `${origins[n % origins.length]}/api/v1/campaigns`;
      const made = await http({
        method: 'POST',
        url,
        token: writeKey.value,
        body: JSON.stringify(body),
        headers,
      });
      if ('reason' in made || made.status >= 300) {
        await wait(1_000);
        continue;
      }
      const { id } = (made.json as { data: { id: string } }).data;
      const about = { tenant, domain, recipients: list!.contacts, once: freshKey(), apiKey: writeKey };
      return restWork(rest, { ...about, via: 'campaign' }, `/campaigns/${id}/launch`, {});
    }
  }

  return {
    work: async (action: Action): Promise<Work> => {
      const account = world.accounts[action.tenant]!;
      const { tenant, writeKey: apiKey } = account;
      switch (action.do) {
        case 'send':
          return send(action, account);
        case 'suppress': {
          const about = { tenant, domain: '', recipients: [action.recipient], once: freshKey(), apiKey };
          return restWork(rest, { ...about, via: 'suppression' }, '/suppressions', {
            email: action.recipient,
          });
        }
        case 'campaign':
          return launch(action.domain, account);
        case 'receive': {
          const { domain, recipient, lines } = action;
          const letter = { from: 'Ann <ann@client.test>', to: [recipient], subject: recipient, html: null };
          const raw = toMime({ ...letter, text: linesOf(lines, random).join('\n') });
          return inboundWork(
            stack.inbounds,
            { tenant, domain, recipients: [recipient] },
            { mailFrom: 'ann@client.test', raw },
          );
        }
        default:
          return action satisfies never;
      }
    },
    close: () => grpc.close(),
  };
}
