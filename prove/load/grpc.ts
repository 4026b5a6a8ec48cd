// Work over gRPC: one call each, or many over a stream that stays open, as our own services do it.

import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { pino } from 'pino';

import { nowMs } from '../../core/base/clock.ts';
import { fromServiceError } from '../../core/clients/grpc-errors.ts';
import { createSendStream, type SendStream } from '../../core/clients/send-streams.ts';
import { MAX_GRPC_BYTES } from '../../core/clients/sender-peers.ts';
import { SenderServiceClient, SendRequest, type SendResponse } from '../../core/gen/sender/v1/sender.ts';
import { MARK, sha256 as hash } from '../content.ts';
import type { Letter } from './letter.ts';
import { refused, taken, unknown, type Answer, type Work } from './work.ts';

/** Clients of every sender. */
export interface Grpc {
  work(work: GrpcWork, letter: Letter): Work;
  close(): void;
}

/** What a caller chooses. */
interface GrpcWork extends Pick<Work, 'tenant' | 'domain' | 'recipients' | 'contents'> {
  via: 'grpc' | 'stream';
  /** An idempotency key, a message id (`msg_…`), or neither. */
  once: string | null;
}

const DEADLINE_MS = 15_000;

/** Connects to the senders as needed. */
export function createGrpc(addresses: string[], token: string): Grpc {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  const log = pino({ level: 'silent' });
  const senders = addresses.map((address) => {
    const client = new SenderServiceClient(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': MAX_GRPC_BYTES,
      'grpc.max_reconnect_backoff_ms': 1_000,
    });
    return { client, stream: createSendStream(client, metadata, log) };
  });

  const call = (client: SenderServiceClient, request: SendRequest): Promise<Answer> =>
    new Promise((resolve) => {
      const deadline = new Date(nowMs() + DEADLINE_MS);
      client.send(request, metadata, { deadline }, (error, answer) =>
        resolve(error ? readError(error) : readResponse(request, answer)),
      );
    });

  const overStream = (stream: SendStream, request: SendRequest): Promise<Answer> =>
    new Promise((resolve) => {
      const end = (answer: Answer) => {
        clearTimeout(limit);
        resolve(answer);
      };
      const forget = stream.send(request, {
        answered({ outcome }) {
          if (outcome?.$case === 'sent') return end(readResponse(request, outcome.value));
          const { code, retryAfterSeconds } = outcome?.value ?? {
            code: 'internal_error',
            retryAfterSeconds: 0,
          };
          end(readCode(0, code, retryAfterSeconds || null));
        },
        broke: ({ message = 'the stream broke' }) => end(unknown(0, message)),
      });
      const limit = setTimeout(() => {
        forget();
        end(unknown(0, 'no answer in time'));
      }, DEADLINE_MS);
    });

  return {
    work: ({ via, once, ...rest }, letter) => {
      const { from, to, subject, text, html, attachment, mark } = letter;
      const message = {
        ...{ from, to, subject, text, html: html ?? '' },
        headers: mark === null ? [] : [{ name: MARK, value: mark }],
        attachments: attachment
          ? [
              {
                filename: attachment.filename,
                contentType: attachment.type,
                content: Buffer.from(attachment.content),
              },
            ]
          : [],
      };
      const isId = once?.startsWith('msg_') === true;
      const request = SendRequest.fromPartial({
        tenantId: rest.tenant,
        messageId: isId ? once : '',
        message,
        ...(once !== null && !isId && { idempotency: { key: once } }),
      });
      const sha256 = hash(Buffer.from(SendRequest.encode(request).finish()));
      return {
        ...rest,
        via,
        once,
        apiKey: null,
        sha256,
        endpoints: addresses,
        ask: (endpoint) => {
          const { client, stream } = senders[endpoint]!;
          return via === 'grpc' ? call(client, request) : overStream(stream, request);
        },
      };
    },
    close: () => {
      for (const { client, stream } of senders) {
        stream.close();
        client.close();
      }
    },
  };
}

function readResponse(request: SendRequest, response: SendResponse): Answer {
  const to = request.message?.to ?? [];
  const all = response.recipients.length > 0 ? response.recipients : [response];
  return taken(0, {
    replayed: response.replayed,
    quota: response.quota ? { used: Number(response.quota.used), cap: Number(response.quota.cap) } : null,
    taken: all.map(({ id, status, reason, deferredUntil }, i) => ({
      id,
      recipient: to[i]!,
      status,
      reason: reason === '' ? null : reason,
      deferredUntil: deferredUntil?.toISOString() ?? null,
    })),
  });
}

function readError(error: ServiceError): Answer {
  const { code, retryAfterSeconds = null } = fromServiceError(error);
  return readCode(error.code, code, retryAfterSeconds);
}

// `unavailable` and `internal_error` do not say whether the message was stored.
function readCode(status: number, code: string, retryAfterSeconds: number | null): Answer {
  const isOpen = code === 'unavailable' || code === 'internal_error';
  return (isOpen ? unknown : refused)(status, code, { retryAfterSeconds });
}
