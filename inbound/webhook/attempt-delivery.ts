// One attempt at one delivery: the whole raw message to the customer's endpoint, signed.

import type pg from 'pg';

import { nowDate } from '../../core/base/clock.ts';
import type { Config } from '../../core/base/config.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import { toId } from '../../core/base/ids.ts';
import type { Body, GuardedHttp } from '../../core/clients/guarded-http.ts';
import { CHUNK_BYTES, readChunks, readWhole } from '../../core/inbound/raw-store.ts';
import type { DeliveryClaim, DeliveryResult } from '../../core/webhook/delivery-store.ts';
import { judgeAttempt, type Attempted } from '../../core/webhook/schedule.ts';
import { openSecret } from '../../core/webhook/settings.ts';
import { deliveryHeaders, startSignature } from '../../core/webhook/sign.ts';
import { WEBHOOK_TIMEOUT_MS } from '../../core/webhook/test-send.ts';

/** What an attempt needs. */
export interface AttemptDeps {
  pool: pg.Pool;
  http: GuardedHttp;
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'WEBHOOK_HEADER_PREFIX' | 'TEST_RETRY_SCALE'>;
  fail: Fail;
  random: () => number;
}

const MAX_ERROR_CHARS = 500;

/** Makes the attempt that a claim stands for. Throws only when our own store is unavailable. */
export async function attemptDelivery(deps: AttemptDeps, claim: DeliveryClaim): Promise<DeliveryResult> {
  const attempted = await post(deps, claim);
  deps.fail('webhook.after-answer');
  const verdict = judgeAttempt(attempted, claim.attempt, {
    now: nowDate(),
    random: deps.random(),
    scale: deps.config.TEST_RETRY_SCALE,
  });
  const statusCode = attempted.kind === 'answered' ? attempted.status : null;
  const base = { claim, statusCode, againInMs: null, counts: true };
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

async function post(deps: AttemptDeps, claim: DeliveryClaim): Promise<Attempted> {
  const secret = openSecret(deps.config, claim.sealedSecret);
  const { body, signature } = await signedBody(deps.pool, claim, secret);
  const headers = deliveryHeaders(deps.config.WEBHOOK_HEADER_PREFIX, signature, {
    tenantId: toId('tnt', claim.tenantId),
    recipient: claim.recipient,
    deliveryId: toId('dlv', claim.id),
    attempt: claim.attempt,
    messageId: toId('inm', claim.messageId),
    mailFrom: claim.mailFrom,
    peer: claim.peer,
    auth: claim.auth,
  });
  deps.fail('webhook.after-claim');
  const result = await deps.http.post(claim.url, headers, body, WEBHOOK_TIMEOUT_MS);
  if (result.kind !== 'answered') return { kind: result.kind, detail: result.detail };
  const said = printable(result.body);
  const detail = `the endpoint answered ${result.status}${said === '' ? '' : `: ${said}`}`;
  return { kind: 'answered', status: result.status, retryAfter: result.retryAfter, detail };
}

// The signature is in a header, so large mail is read twice, chunk by chunk, rather than held.
async function signedBody(
  pool: pg.Pool,
  claim: DeliveryClaim,
  secret: string,
): Promise<{ body: Body; signature: string }> {
  const signature = startSignature(secret);
  if (claim.sizeBytes < CHUNK_BYTES) {
    const body = await readWhole(pool, claim.tenantId, claim.rawId);
    return { body, signature: signature.update(body).digest('hex') };
  }
  const pieces = () => readChunks(pool, claim.tenantId, claim.rawId);
  for await (const piece of pieces()) signature.update(piece);
  return { body: { length: claim.sizeBytes, pieces }, signature: signature.digest('hex') };
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
