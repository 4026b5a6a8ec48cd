// SendStream with nothing behind it: answers each message at once, with an answer of the usual size. The raw limit of
// the streamed path on this machine.

import { Server, ServerCredentials, status, type ServerDuplexStream } from '@grpc/grpc-js';

import { MAX_GRPC_BYTES } from '../../core/clients/sender-peers.ts';
import {
  SendResponse,
  SenderServiceService,
  type SendRequest,
  type SendStreamResponse,
} from '../../core/gen/sender/v1/sender.ts';
import { serveWorker } from '../worker.ts';

const ANSWER = SendResponse.fromPartial({
  id: 'msg_01jd8x4z3kf5t8r9w2m6q7v0ab',
  status: 'queued',
  domain: 'd0x0.bench.test',
  warmup: { tier: 10, cap: 100_000, used: 5_000 },
  quota: { used: 5_000n, cap: 5_000_000n },
});

serveWorker({ start });

function start(): Promise<string> {
  const server = new Server({ 'grpc.max_receive_message_length': MAX_GRPC_BYTES });
  server.register(
    SenderServiceService.sendStream.path,
    (call: ServerDuplexStream<SendRequest, SendStreamResponse>) => {
      call.on('data', ({ clientRef }: SendRequest) => {
        call.write({ clientRef, outcome: { $case: 'sent', value: { ...ANSWER, clientRef } } });
      });
      call.on('end', () => call.end());
      call.on('error', () => call.emit('error', { code: status.CANCELLED }));
    },
    SenderServiceService.sendStream.responseSerialize,
    SenderServiceService.sendStream.requestDeserialize,
    'bidi',
  );
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error) reject(error);
      else resolve(`127.0.0.1:${port}`);
    });
  });
}
