// The methods of sender.v1.SenderService: proto in, proto out. Decisions are elsewhere.

import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js';

import { service, type Actor } from '../../core/audit/actor.ts';
import type { LiveChangeDeps } from '../../core/audit/change.ts';
import { AppError, isErrorCode, notFound } from '../../core/base/errors.ts';
import { requireValue } from '../../core/base/field-problems.ts';
import { fromId, toId } from '../../core/base/ids.ts';
import type { Logger } from '../../core/base/log.ts';
import { toServiceError } from '../../core/clients/grpc-errors.ts';
import type { Database } from '../../core/db/pool.ts';
import { databaseAway, isDatabaseAway } from '../../core/db/transaction.ts';
import {
  OverrideTierRequest_Action as Action,
  type Failure,
  type Message,
  type OverrideTierRequest,
  type ReleaseDeferredRequest,
  type SendBatchRequest,
  type SendBatchResponse,
  type SenderServiceServer,
  type SendRequest,
  type SendResponse,
  type Warmup as WarmupReply,
} from '../../core/gen/sender/v1/sender.ts';
import type { Refused } from '../../core/message/submission.ts';
import { readMessage } from '../../core/message/message-store.ts';
import { overrideTier, resumeDomain, type TierTarget } from '../../core/warmup/change-tier.ts';
import { resumeInput, tierInput, type TierAction } from '../../core/warmup/tier-input.ts';
import { readWarmup, type DomainRef, type Warmup } from '../../core/warmup/tier-store.ts';
import type { Accept } from '../accept/accept.ts';
import { toBatchAnswer, toFailure, toQuota, toSingleAnswer } from './answers.ts';
import { toMessage } from './message.ts';
import { readBatch, readSend, readTenant, type RouteNames } from './requests.ts';
import { serveSendStream } from './stream.ts';
import { releaseDue, type ReleaseDeps, type ReleaseProgress } from '../release/release.ts';

/** What there is for the tenants of one bucket. */
export interface BucketMethods {
  db: Database;
  accept: Accept;
  release: ReleaseDeps;
}

/** What the methods need. */
export interface MethodDeps {
  nats: LiveChangeDeps['nats'];
  /** That of a tenant's bucket. Throws when the database is unavailable. */
  ofTenant(tenantId: string): Promise<BucketMethods>;
  /** The names of all buckets. */
  list(): Promise<string[]>;
  /** What releases the mail of a bucket, without opening it. Throws when the database is unavailable. */
  releaseIn(bucket: string): Promise<ReleaseDeps>;
  routes: RouteNames;
  /** Aborted when the server stops: streams end. */
  stopping: AbortSignal;
  log: Logger;
}

/** The service, ready for a server. */
export function createMethods(deps: MethodDeps): SenderServiceServer {
  const unary = <Q, A>(work: (request: Q, signal: AbortSignal) => Promise<A>) => serveUnary(deps.log, work);
  return {
    send: unary((request: SendRequest, signal) => send(deps, request, signal)),
    sendBatch: unary((request: SendBatchRequest, signal) => sendBatch(deps, request, signal)),
    sendStream: (call) => serveSendStream(deps, call),
    getMessage: unary(async ({ tenantId, id }): Promise<Message> => {
      const uuid = fromId('msg', id);
      if (uuid === null) throw notFound('message');
      const tenant = readTenant(tenantId);
      const found = await readMessage((await deps.ofTenant(tenant)).db.pool, tenant, uuid);
      if (!found) throw notFound('message');
      return toMessage(found);
    }),
    getWarmup: unary(async ({ tenantId, domain }) => {
      const tenant = readTenant(tenantId);
      const { db } = await deps.ofTenant(tenant);
      return toWarmup(await readWarmup(db.pool, tenant, readDomain(domain)));
    }),
    overrideTier: unary(async (request: OverrideTierRequest) => {
      const input = requireValue(tierInput, { ...readChange(request.change), reason: request.reason });
      const target = readTarget(request);
      return toWarmup(await overrideTier(await changeOf(deps, target), readActor(request), target, input));
    }),
    resumeDomain: unary(async (request) => {
      const input = requireValue(resumeInput, request.reason === '' ? {} : { reason: request.reason });
      const target = readTarget(request);
      return toWarmup(await resumeDomain(await changeOf(deps, target), readActor(request), target, input));
    }),
    releaseDeferred: (call) => {
      const stop = new AbortController();
      call.on('cancelled', () => stop.abort());
      release(deps, call.request, stop.signal, (progress, done) =>
        call.write(toProgress(progress, done)),
      ).then(
        () => call.end(),
        (error: unknown) => call.destroy(toServiceError(toAppError(deps.log, error))),
      );
    },
  };
}

// A caller that gave up gets its work undone if it is in no batch yet; after that it is complete.
function serveUnary<Q, A>(
  log: Logger,
  work: (request: Q, signal: AbortSignal) => Promise<A>,
): handleUnaryCall<Q, A> {
  return (call: ServerUnaryCall<Q, A>, callback) => {
    const stop = new AbortController();
    call.on('cancelled', () => stop.abort());
    work(call.request, stop.signal).then(
      (answer) => callback(null, answer),
      (error: unknown) => callback(toServiceError(toAppError(log, error))),
    );
  };
}

function toAppError(log: Logger, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) return databaseAway(error);
  if (!(error instanceof Error && error.name === 'AbortError')) log.error({ err: error }, 'a call failed');
  return new AppError('internal_error', 'The call failed; the log of the sender says why.');
}

async function changeOf({ ofTenant, nats }: MethodDeps, { tenantId }: TierTarget): Promise<LiveChangeDeps> {
  return { db: (await ofTenant(tenantId)).db, nats };
}

async function send(
  { ofTenant, routes }: MethodDeps,
  request: SendRequest,
  signal: AbortSignal,
): Promise<SendResponse> {
  const submission = readSend(request, routes);
  if ('code' in submission) throw toError(submission);
  const { accept } = await ofTenant(submission.tenantId);
  const answer = toSingleAnswer(await accept.submit(submission, signal), request.clientRef);
  if ('sent' in answer) return answer.sent;
  throw toError(answer.failure);
}

function toError(refused: Refused | Failure): AppError {
  const { code, message, details, retryAfterSeconds } = refused;
  return new AppError(isErrorCode(code) ? code : 'internal_error', message, {
    ...(details && details.length > 0 ? { details } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  });
}

async function sendBatch(
  { ofTenant, routes }: MethodDeps,
  request: SendBatchRequest,
  signal: AbortSignal,
): Promise<SendBatchResponse> {
  const { submission, refused } = readBatch(request, routes);
  const bad = submission.allOrNone === true ? refused.find((one) => one !== null) : undefined;
  if (bad) return { items: [], quota: undefined, replayed: false, refused: toFailure(bad) };
  if (submission.messages.length === 0) {
    const items = refused.map((one) => toBatchAnswer(one!));
    return { items, quota: undefined, replayed: false, refused: undefined };
  }
  const { accept } = await ofTenant(submission.tenantId);
  const answer = await accept.submit(submission, signal);
  if (!answer.ok) {
    return { items: [], quota: toQuota(answer.quota), replayed: false, refused: toFailure(answer) };
  }
  const accepted = answer.items.values();
  const items = refused.map((one) => toBatchAnswer(one ?? accepted.next().value!));
  return { items, quota: toQuota(answer.quota), replayed: answer.replayed, refused: undefined };
}

// Without a tenant the buckets are released side by side: one whose database is away does not hold the others up.
async function release(
  deps: MethodDeps,
  request: ReleaseDeferredRequest,
  signal: AbortSignal,
  report: (progress: ReleaseProgress, done: boolean) => void,
): Promise<void> {
  const tenantId = request.tenantId === '' ? null : readTenant(request.tenantId);
  const run = { now: request.now ?? null, tenantId, signal };
  const releases =
    tenantId === null
      ? (await deps.list()).map(deps.releaseIn)
      : [deps.ofTenant(tenantId).then(({ release }) => release)];
  const soFar = new Map<ReleaseDeps, ReleaseProgress>();
  const releaseOne = async (found: Promise<ReleaseDeps>) => {
    const one = await found;
    const onProgress = (progress: ReleaseProgress) => {
      soFar.set(one, progress);
      report(sumOf([...soFar.values()]), false);
    };
    soFar.set(one, await releaseDue(one, { ...run, onProgress }));
  };
  const ends = await Promise.allSettled(releases.map(releaseOne));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  report(sumOf([...soFar.values()]), true);
}

function sumOf(all: ReleaseProgress[]): ReleaseProgress {
  return {
    released: all.reduce((sum, { released }) => sum + released, 0),
    deferredAgain: all.reduce((sum, { deferredAgain }) => sum + deferredAgain, 0),
  };
}

function toProgress(progress: ReleaseProgress, done: boolean) {
  return { released: BigInt(progress.released), deferredAgain: BigInt(progress.deferredAgain), done };
}

function readDomain(text: string): DomainRef {
  const id = fromId('dom', text);
  return id === null ? { name: text } : { id };
}

function readTarget({ tenantId, domain }: { tenantId: string; domain: string }): TierTarget {
  return { tenantId: readTenant(tenantId), domain: readDomain(domain) };
}

function readActor({ actor }: { actor: string }): Actor {
  return service(actor || 'grpc');
}

function readChange(change: OverrideTierRequest['change']): { action?: TierAction; tier?: number } {
  if (change?.$case === 'tier') return { tier: change.value };
  switch (change?.value) {
    case Action.ACTION_ADVANCE:
      return { action: 'advance' };
    case Action.ACTION_HOLD:
      return { action: 'hold' };
    case Action.ACTION_RELEASE:
      return { action: 'release' };
    case Action.ACTION_DEMOTE:
      return { action: 'demote' };
    default:
      return {}; // refused: neither an action nor a tier
  }
}

function toWarmup(warmup: Warmup): WarmupReply {
  return {
    tenantId: toId('tnt', warmup.tenantId),
    domain: warmup.domain,
    domainId: toId('dom', warmup.domainId),
    day: warmup.day,
    tier: warmup.tier,
    cap: warmup.cap,
    used: warmup.used,
    state: warmup.state,
    pausedReason: warmup.pausedReason ?? '',
    waiting: BigInt(warmup.waiting),
  };
}
