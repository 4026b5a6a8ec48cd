// What resolvers see of a request.

import DataLoader from 'dataloader';

import { userActor, type Actor, type UserActor } from '../../core/audit/actor.ts';
import { readActorEmails } from '../../core/audit/actor-emails.ts';
import type { AuditRow } from '../../core/audit/audit-store.ts';
import { AppError } from '../../core/base/errors.ts';
import {
  type MessageAttempt,
  type MessageEvent,
  selectAttempts,
  selectEvents,
} from '../../core/message/message-store.ts';
import type { UserPrincipal } from '../../core/people/authenticate.ts';
import { requireConfirmed } from '../../core/people/confirm-identity.ts';
import { requireOwnSession, type OwnSession } from '../../core/people/own-session.ts';
import { secondFactorMissing } from '../../core/people/second-factor-rule.ts';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import { createAccountLoaders, type AccountLoaders } from './loaders.ts';

/** An actor, as the log of a tenant spells it. */
type LoggedActor = Pick<AuditRow, 'tenantId' | 'actor'>;

/** One request's world. */
export interface GraphqlContext {
  deps: ApiDeps;
  exchange: Exchange;
  /** Set-Cookie lines of the answer. */
  setCookies: string[];
  /** A query's answer holds no secret: tokens, keys and codes are what mutations answer with. Known once it begins. */
  operation: { isQuery: boolean };
  /** Why a stream was refused before it began: the first is the whole answer, with its status. */
  refusals: AppError[];
  /** Attempts and events by message, each kind read once for all messages of the request. */
  attempts: DataLoader<string, MessageAttempt[]>;
  events: DataLoader<string, MessageEvent[]>;
  /** What belongs to domains, campaigns and contacts. */
  account: AccountLoaders;
  /** Addresses of the actors of the audit log. */
  actorEmails: DataLoader<LoggedActor, string | null, string>;
}

/** Makes the context of one request. */
export function createContext(deps: ApiDeps, exchange: Exchange): GraphqlContext {
  return {
    deps,
    exchange,
    setCookies: [],
    operation: { isQuery: false },
    refusals: [],
    ...createLoaders(deps, exchange),
  };
}

/** Forgets what was read: a subscription shows the state of now, again and again in one context. */
export function renewLoaders(context: GraphqlContext): void {
  Object.assign(context, createLoaders(context.deps, context.exchange));
}

function createLoaders(deps: ApiDeps, exchange: Exchange) {
  const tenantId = () => signedIn({ exchange }).tenantId;
  return {
    attempts: byMessage((ids) => selectAttempts(deps.db.pool, tenantId(), ids)),
    events: byMessage((ids) => selectEvents(deps.db.pool, tenantId(), ids)),
    account: createAccountLoaders(deps, tenantId),
    actorEmails: new DataLoader<LoggedActor, string | null, string>(
      async (keys) => {
        const byTenant = Map.groupBy(keys, (key) => key.tenantId);
        const read = [...byTenant].map(async ([tenant, ofTenant]) => {
          const actors = ofTenant.map(({ actor }) => actor);
          return [tenant, await readActorEmails(deps.home.pool, tenant, actors)] as const;
        });
        const emails = new Map(await Promise.all(read));
        return keys.map((key) => emails.get(key.tenantId)?.get(key.actor) ?? null);
      },
      { cacheKeyFn: (key) => `${key.tenantId} ${key.actor}` },
    ),
  };
}

/**
 * The person who asks. GraphQL is for people: keys and operators' tokens are refused with a sentence, as is who has yet to
 * set up a second factor.
 */
export function signedIn(context: Pick<GraphqlContext, 'exchange'>): UserPrincipal {
  const self = selfOf(context);
  if (self.lacksSecondFactor) throw secondFactorMissing();
  return self;
}

/** The person who asks, also one who has yet to set up a second factor: for what those may do, with the scope `self`. */
export function selfOf({ exchange }: Pick<GraphqlContext, 'exchange'>): UserPrincipal {
  const refusal = notAPerson(exchange);
  if (refusal) throw refusal;
  return exchange.principal as UserPrincipal;
}

/** The person who asks, who proved minutes ago that it is them. Throws `confirmation_required`. */
export async function confirmedSelf(
  context: Pick<GraphqlContext, 'deps' | 'exchange'>,
): Promise<UserPrincipal> {
  const self = selfOf(context);
  await requireConfirmed(context.deps.db, self);
  return self;
}

/** The signed-in person, in a session that they opened with their password. Throws `forbidden` with what to do. */
export function ownSession({ exchange }: Pick<GraphqlContext, 'exchange'>): OwnSession & { ip: string } {
  return { ...requireOwnSession(selfOf({ exchange })), ip: exchange.client.address };
}

/** The person who asks, for verbs that change something. One request may ask for many changes, so there is no changeId. */
export function changedBy({ exchange }: Pick<GraphqlContext, 'exchange'>): UserActor {
  return userActor(selfOf({ exchange }).user, exchange.client.address);
}

/** The first arguments of verbs that change something in the caller's tenant. */
export function asCaller(context: Pick<GraphqlContext, 'exchange'>): [by: Actor, tenantId: string] {
  return [changedBy(context), signedIn(context).tenantId];
}

/** Why the caller is not a signed-in person who may go on, or null. */
export function signInRefusal(exchange: Pick<Exchange, 'principal'>): AppError | null {
  const { principal } = exchange;
  if (principal?.kind === 'user' && principal.lacksSecondFactor) return secondFactorMissing();
  return notAPerson(exchange);
}

function notAPerson({ principal }: Pick<Exchange, 'principal'>): AppError | null {
  switch (principal?.kind) {
    case 'user':
      return null;
    case 'key':
      return new AppError(
        'forbidden',
        'API keys work with REST only. GraphQL needs the access token of a signed-in person.',
      );
    case 'admin':
      return new AppError(
        'forbidden',
        'GraphQL needs the access token of a signed-in person, not a super-admin token.',
      );
    case undefined:
      return new AppError('unauthorized', 'Sign in first: send Authorization: Bearer <access token>.');
  }
}

function byMessage<T extends { messageId: string }>(
  read: (ids: string[]) => Promise<T[]>,
): DataLoader<string, T[]> {
  return new DataLoader(async (ids) => {
    const rows = Map.groupBy(await read([...ids]), (row) => row.messageId);
    return ids.map((id) => rows.get(id) ?? []);
  });
}
