// One attempt at one delivery: the request that stands for it, signed, and what becomes of the delivery by the answer.

import type pg from 'pg';

import { nowDate } from '../../core/base/clock.ts';
import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import { toId } from '../../core/base/ids.ts';
import { endAfter, inSpan, isTracing, startSpan, type Attributes } from '../../core/base/trace.ts';
import type { Body, GuardedHttp } from '../../core/clients/guarded-http.ts';
import type { DeliveryClaim, DeliveryResult } from '../../core/webhook/delivery-store.ts';
import { judgeAttempt, type Attempted } from '../../core/webhook/schedule.ts';
import { openSecret } from '../../core/webhook/settings.ts';
import { eventHeaders } from '../../core/webhook/standard-webhook.ts';
import { WEBHOOK_TIMEOUT_MS } from '../../core/webhook/test-send.ts';
import { mailRequest } from './mail-request.ts';

/** What an attempt needs. */
export interface AttemptDeps {
  pool: pg.Pool;
  http: GuardedHttp;
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'WEBHOOK_HEADER_PREFIX' | 'TEST_RETRY_SCALE'>;
  fail: Fail;
  random: () => number;
}

const MAX_ERROR_CHARS = 500;
const MAX_KEPT_BYTES = 4 * 1024; // of the answer to an event

/** Makes the attempt that a claim stands for. Throws only when our own store is unavailable. */
export function attemptDelivery(deps: AttemptDeps, claim: DeliveryClaim): Promise<DeliveryResult> {
  if (!isTracing()) return attempt(deps, claim);
  const { what } = claim;
  const span = startSpan('webhook', {
    kind: 'client',
    parent: what.kind === 'inbound' ? { rootOf: what.rawId } : null,
    attributes: {
      'http.request.method': 'POST',
      'postrider.tenant.id': toId('tnt', claim.tenantId),
      'postrider.attempt': claim.attempt,
      ...(what.kind === 'inbound' && { 'messaging.message.id': toId('inm', what.messageId) }),
      ...(what.kind === 'event' && { 'postrider.event.id': toId('evt', what.eventId) }),
    },
  });
  return endAfter(
    span,
    inSpan(span, () => attempt(deps, claim)),
    resultAttributes,
  );
}

function resultAttributes({ state, statusCode }: DeliveryResult): Attributes {
  return {
    'postrider.outcome': state,
    ...(statusCode !== null && { 'http.response.status_code': statusCode }),
  };
}

async function attempt(deps: AttemptDeps, claim: DeliveryClaim): Promise<DeliveryResult> {
  const { headers, body } = await requestOf(deps, claim);
  deps.fail('webhook.after-claim');
  const answer = await deps.http.post(claim.url, headers, body, WEBHOOK_TIMEOUT_MS);
  deps.fail('webhook.after-answer');
  const answered = answer.kind === 'answered';
  const keeps = answered && claim.what.kind === 'event';
  const base = {
    claim,
    statusCode: answered ? answer.status : null,
    durationMs: answer.ms,
    responseBody: keeps ? keptAnswer(answer.body) : null,
    againInMs: null,
    counts: true,
  };
  const verdict = judgeAttempt(toAttempted(answer), claim.attempt, {
    now: nowDate(),
    random: deps.random(),
    scale: deps.config.TEST_RETRY_SCALE,
  });
  switch (verdict.kind) {
    case 'accepted':
      return { ...base, state: 'accepted', error: null };
    case 'dead':
      return { ...base, state: 'dead', error: verdict.detail };
    case 'again':
      return {
        ...base,
        state: 'pending',
        againInMs: verdict.inMs,
        counts: verdict.counts,
        error: verdict.detail,
      };
    default:
      return verdict satisfies never;
  }
}

async function requestOf(
  { pool, config }: AttemptDeps,
  claim: DeliveryClaim,
): Promise<{ headers: Record<string, string>; body: Body }> {
  const secrets = [claim.sealedSecret, claim.previousSealedSecret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => openSecret(config, sealed));
  const { what } = claim;
  switch (what.kind) {
    case 'inbound':
      return mailRequest(pool, config, claim, what, secrets[0]!);
    case 'event': {
      const body = Buffer.from(what.body, 'utf8');
      return { body, headers: eventHeaders(what.eventId, nowDate(), body, secrets) };
    }
    default:
      return what satisfies never;
  }
}

function toAttempted(answer: Awaited<ReturnType<GuardedHttp['post']>>): Attempted {
  if (answer.kind !== 'answered') return { kind: answer.kind, detail: answer.detail };
  const said = printable(answer.body);
  const detail = `the endpoint answered ${answer.status}${said === '' ? '' : `: ${said}`}`;
  return { kind: 'answered', status: answer.status, retryAfter: answer.retryAfter, detail };
}

// PostgreSQL stores no U+0000. A character that the limit cuts in two goes.
function keptAnswer(text: string): string {
  const start = Buffer.from(text.slice(0, MAX_KEPT_BYTES), 'utf8').subarray(0, MAX_KEPT_BYTES);
  return new TextDecoder().decode(start, { stream: true }).replaceAll('\0', '\ufffd');
}

// What an endpoint says ends up in a text column and before an operator's eyes.
function printable(text: string): string {
  return text
    .slice(0, MAX_ERROR_CHARS * 2)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, MAX_ERROR_CHARS)
    .toWellFormed();
}
