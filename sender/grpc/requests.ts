// Proto requests as submissions: ids read, messages checked by the schema of every API.

import { createHash } from 'node:crypto';

import { nowDate, nowMs } from '../../core/base/clock.ts';
import { type FieldProblem, invalidField, problemSentence } from '../../core/base/errors.ts';
import { fromId, newUuid, uuidTimeMs, uuidVersion } from '../../core/base/ids.ts';
import {
  BatchItem,
  OutgoingMessage,
  type Idempotency,
  type SendBatchRequest,
  type SendRequest,
} from '../../core/gen/sender/v1/sender.ts';
import { mayOnlySendFrom } from '../../core/key/key-domain.ts';
import { readOutgoing } from '../../core/message/outgoing.ts';
import type { IdempotencyKey, NewMessage, Refused, Submission } from '../../core/message/submission.ts';
import { refusal } from '../accept/answers.ts';

/** Most messages of one batch, and most recipients of them together: what one commit stores in about 0.1 s. */
const MAX_BATCH = 1000;
const MAX_BATCH_RECIPIENTS = 5000;

// A message id chooses its partition: one from far away in time would miss the partitions and the retention.
const ID_WINDOW_MS = 24 * 3_600_000;
const KEY = /^[\x21-\x7e]{1,255}$/;
const HASH_BYTES = 32;

/** Names of the routes that a message may insist on. */
export type RouteNames = readonly string[];

/** The submission of a single send. Throws AppError for what is wrong with the call as a whole. */
export function readSend(request: SendRequest, routes: RouteNames): Submission | Refused {
  const message = readOne(request, request.onlyDomain, routes);
  if ('code' in message) return message;
  const idempotency = readKey(request.idempotency, () => OutgoingMessage.encode(asked(request)).finish());
  return { tenantId: readTenant(request.tenantId), idempotency, messages: [message] };
}

/** A batch as it goes to the transaction: the good messages, and where the refused ones belong in the answer. */
export interface ReadBatch {
  submission: Submission;
  /** Per message of the request: its refusal, or null when it is in the submission. */
  refused: (Refused | null)[];
}

/** The submission of a batch. Throws AppError for what is wrong with the call as a whole. */
export function readBatch(request: SendBatchRequest, routes: RouteNames): ReadBatch {
  const count = request.messages.length;
  if (count < 1 || count > MAX_BATCH) throw invalidField('messages', `must have 1 to ${MAX_BATCH} messages`);
  const read = request.messages.map((item) => readOne(item, request.onlyDomain, routes));
  const messages = read.filter((one): one is NewMessage => !('code' in one));
  if (messages.reduce((sum, { recipients }) => sum + recipients.length, 0) > MAX_BATCH_RECIPIENTS)
    throw invalidField('messages', `must have at most ${MAX_BATCH_RECIPIENTS} recipients together`);
  const idempotency = readKey(request.idempotency, () =>
    Buffer.concat(
      request.messages.map((item) => BatchItem.encode({ ...item, message: asked(item) }).finish()),
    ),
  );
  return {
    submission: {
      tenantId: readTenant(request.tenantId),
      idempotency,
      messages,
      allOrNone: request.allOrNone,
    },
    refused: read.map((one) => ('code' in one ? one : null)),
  };
}

/** The UUID of a tenant id; malformed is not found, as everywhere. */
export function readTenant(id: string): string {
  const tenantId = fromId('tnt', id);
  if (tenantId === null) throw invalidField('tenant_id', 'must be a tenant id (tnt_…)');
  return tenantId;
}

function readOne(
  { messageId: id, message }: Pick<BatchItem, 'messageId' | 'message'>,
  onlyDomain: string | undefined,
  routes: RouteNames,
): NewMessage | Refused {
  if (!message) return invalid([{ path: 'message', message: 'is required' }]);
  const uuid = id === '' ? newUuid() : fromId('msg', id);
  if (uuid === null || !isFresh(uuid)) {
    return invalid([{ path: 'message_id', message: 'must be a msg_ id with a UUIDv7 of today' }]);
  }
  const read = readOutgoing(uuid, message, nowDate());
  if (!read.ok) return invalid(read.details);
  const { esp, domain } = read.message;
  if (onlyDomain !== undefined && domain !== onlyDomain)
    return refusal('forbidden', mayOnlySendFrom(onlyDomain));
  // Nor may such a key name another domain as the sender: an empty domain is verified by nobody.
  const { sender } = read.message;
  if (onlyDomain !== undefined && sender !== null) sender.domain = '';
  if (esp === null || routes.includes(esp)) return read.message;
  const problem = `must be one of ${routes.join(', ')}, not ${esp}`;
  return invalid([{ path: 'esp', message: problem }]);
}

// What an idempotency key stands for: the same request made again has another place in its trace.
function asked({ message }: Pick<BatchItem, 'message'>): OutgoingMessage {
  return { ...message!, trace: undefined };
}

function isFresh(uuid: string): boolean {
  return uuidVersion(uuid) === 7 && Math.abs(uuidTimeMs(uuid) - nowMs()) < ID_WINDOW_MS;
}

function invalid(details: FieldProblem[]): Refused {
  return { ...refusal('validation_failed', problemSentence(details)), details };
}

function readKey(given: Idempotency | undefined, body: () => Uint8Array): IdempotencyKey | null {
  if (!given) return null;
  if (!KEY.test(given.key))
    throw invalidField('idempotency.key', 'must be 1 to 255 visible ASCII characters');
  if (given.bodyHash.length === 0) {
    return { key: given.key, bodyHash: createHash('sha256').update(body()).digest() };
  }
  if (given.bodyHash.length !== HASH_BYTES) throw invalidField('idempotency.body_hash', 'must be 32 bytes');
  return { key: given.key, bodyHash: Buffer.from(given.bodyHash) };
}
