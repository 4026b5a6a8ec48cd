// The work that an action of the plan is: the very request, with all that is in it.

import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';

import { toId } from '../../core/base/ids.ts';
import type { Stack } from '../stack/stack.ts';
import type { Account, World } from './accounts.ts';
import type { Action, SendAction, Way } from './action.ts';
import { graphqlWork, resetWork } from './graphql.ts';
import { createGrpc } from './grpc.ts';
import { BURST_MESSAGES } from './plan-parts.ts';
import type { Http } from './http.ts';
import { hashLetter, linesOf, toMime, writeLetter, type Letter } from './letter.ts';
import { freshKey, restWork, sendBody } from './rest.ts';
import { createSessions } from './sessions.ts';
import { createSharedSession, inboundWork, submissionWork, type SharedSession } from './smtp.ts';
import { spell } from '../spelling.ts';
import type { Work } from './work.ts';
import { personAddress } from './world.ts';

/** What making needs. */
export interface WorkshopDeps {
  stack: Pick<Stack, 'apis' | 'senders' | 'inbounds' | 'caFile' | 'internalToken'>;
  world: World;
  http: Http;
  /** Milliseconds since the epoch by the store's calendar. */
  storeMs(): number;
}

type Send = Action & SendAction;

/** Makes work. */
interface Workshop {
  /** Null when a campaign could not be made for so long that nobody waits for it any more. */
  work(action: Action): Promise<Work | null>;
  /** Other mail with the key of some that was asked for. */
  other(action: Send, once: string): Work;
  close(): void;
}

// What a way to send does not take.
const WITHOUT: { [way in Way]?: Partial<Letter> } = {
  graphql: { attachment: null, mark: null },
  submission: { attachment: null, html: null },
};
const IS_ASCII = /^[\x20-\x7e]*$/; // a raw header would have to encode anything else
const CAMPAIGN_TRIES = 90; // one a second: no fault lasts as long

/** Connects as needed; `random` decides about lengths and the like. */
export function createWorkshop(deps: WorkshopDeps, random: () => number): Workshop {
  const { stack, world, http } = deps;
  const origins = stack.apis.map(({ origin }) => origin);
  const rest = { http, origins };
  const grpc = createGrpc(
    stack.senders.map(({ host, port }) => `${host}:${port}`),
    stack.internalToken,
  );
  const sessions = createSessions(http);
  const submission = { endpoints: stack.apis.map((api) => api.submission), caFile: stack.caFile };

  function send(action: Send, account: Account, once: string | null): Work {
    const { way, domain, recipients } = action;
    const { tenant } = account;
    const apiKey = account.sendKeys[action.key]!;
    const spelled = recipients.map((one) => spell(one, random));
    const to = spelled.map((one, n) => (way === 'submission' && !IS_ASCII.test(one) ? recipients[n]! : one));
    const written = writeLetter(domain, to, recipients[0]!, random);
    const letter = { ...written, ...WITHOUT[way] };
    const single = to.map((one) => ({ ...letter, to: [one] }));
    const contents = way === 'batch' ? single.map(hashLetter) : recipients.map(() => hashLetter(letter));
    const about = { tenant, domain, recipients, contents, once };
    switch (way) {
      case 'rest':
        return restWork(rest, { ...about, via: 'rest', apiKey }, '/transactional/send', sendBody(letter));
      case 'batch': {
        const messages = single.map(sendBody);
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

  // A campaign is made in two requests; only its launch sends anything. Null when it could not be made for so long.
  async function launch(domain: string, { tenant, writeKey, list }: Account): Promise<Work | null> {
    const body = {
      name: freshKey(),
      from: `News <news@${domain}>`,
      subject: 'News for {{ email }}',
      text: 'What is new for {{ email }}.',
      audience: { list_id: list!.id },
    };
    const headers = { 'idempotency-key': freshKey() };
    for (let n = 0; n < CAMPAIGN_TRIES; n++) {
      const url = `${origins[n % origins.length]}/api/v1/campaigns`;
      const made = await http({
        method: 'POST',
        url,
        token: writeKey.value,
        body: JSON.stringify(body),
        headers,
      });
      // 409: the first try, whose answer was lost, is still under way.
      if ('reason' in made || made.status === 409 || made.status === 429 || made.status >= 500) {
        await wait(1_000);
        continue;
      }
      if (made.status >= 300) throw new Error(`POST /campaigns: ${made.status} ${made.body.toString()}`);
      const { id } = (made.json as { data: { id: string } }).data;
      const { contacts } = list!;
      const contents = contacts.map((to) =>
        hashLetter({
          ...{ from: body.from, to: [to], html: null, attachment: null, mark: null },
          ...{ subject: `News for ${to}`, text: `What is new for ${to}.` },
        }),
      );
      const about = { tenant, domain, recipients: contacts, contents, once: freshKey(), apiKey: writeKey };
      return restWork(rest, { ...about, via: 'campaign' }, `/campaigns/${id}/launch`, {});
    }
    return null;
  }

  const shared = new Map<string, SharedSession>();
  function sharedSession(name: string): SharedSession {
    const found = shared.get(name) ?? createSharedSession(BURST_MESSAGES);
    shared.set(name, found);
    return found;
  }

  return {
    work: async (action: Action): Promise<Work | null> => {
      const account = world.accounts[action.tenant]!;
      const { tenant, writeKey: apiKey } = account;
      switch (action.do) {
        case 'send':
          return send(action, account, action.once ? freshKey() : null);
        case 'suppress': {
          const recipients = [action.recipient];
          const about = { tenant, domain: '', recipients, contents: [], once: freshKey(), apiKey };
          return restWork(rest, { ...about, via: 'suppression' }, '/suppressions', {
            email: spell(action.recipient, random),
          });
        }
        case 'campaign':
          return launch(action.domain, account);
        case 'reset':
          return resetWork(rest, { tenant, email: personAddress('person', action.tenant) });
        case 'receive': {
          const { domain, recipient, lines, session } = action;
          const letter = { from: 'Ann <ann@client.test>', to: [recipient], subject: recipient, mark: null };
          const raw = toMime({ ...letter, text: linesOf(lines, random).join('\n') });
          return inboundWork(
            stack.inbounds,
            { tenant, domain, recipients: [recipient], contents: [] },
            { mailFrom: 'ann@client.test', raw },
            session === null ? null : sharedSession(session),
          );
        }
        default:
          return action satisfies never;
      }
    },
    other: (action: Send, once: string) => send(action, world.accounts[action.tenant]!, once),
    close: () => grpc.close(),
  };
}
