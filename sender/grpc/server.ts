// The gRPC server of the sender: credentials, token, health and reflection. What the methods do is in
// grpc-methods.ts and grpc-stream.ts.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';

import type { Config } from '../../core/base/config.ts';
import { equalInConstantTime } from '../../core/base/secrets.ts';
import { serverCredentials, type GrpcSettings } from '../../core/clients/grpc-credentials.ts';
import { toServiceError } from '../../core/clients/grpc-errors.ts';
import { MAX_GRPC_BYTES } from '../../core/clients/sender.ts';
import { SenderServiceService, type SenderServiceServer } from '../../core/gen/sender/v1/sender.ts';

/** A listening gRPC server. */
export interface GrpcServer {
  port: number;
  /** From now on the health service says NOT_SERVING. */
  announceStop(): void;
  /** Accepts no new connection, says GOAWAY on the others, finishes the calls that run and ends streams. */
  stop(): Promise<void>;
}

const SERVICE = 'sender.v1.SenderService';
const STOP_LIMIT_MS = 5_000; // a release that reports its progress is cut off after this; its caller repeats it

/** Starts listening. Port 0 chooses a free one. `methods` are given what is aborted when streams are to end. */
export async function startGrpcServer(
  config: GrpcSettings & Pick<Config, 'BIND_ADDRESS' | 'SENDER_GRPC_PORT'>,
  methods: (stopping: AbortSignal) => SenderServiceServer,
): Promise<GrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_GRPC_BYTES,
    'grpc.max_send_message_length': MAX_GRPC_BYTES,
    interceptors: [requireToken(config.INTERNAL_TOKEN)],
  });
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE]: 'SERVING' });
  const stopping = new AbortController();
  server.addService(SenderServiceService, methods(stopping.signal));
  health.addToServer(server);
  new ReflectionService(
    loadFileDescriptorSetFromBuffer(
      readFileSync(join(import.meta.dirname, '../../core/gen/descriptors.bin')),
    ),
    { services: [SERVICE] },
  ).addToServer(server);
  const port = await bind(server, `${config.BIND_ADDRESS}:${config.SENDER_GRPC_PORT}`, config);
  return {
    port,
    announceStop: () => {
      for (const name of ['', SERVICE]) health.setStatus(name, 'NOT_SERVING');
    },
    stop: () => {
      stopping.abort();
      return shutDown(server);
    },
  };
}

// Health and reflection reveal nothing about anyone's mail and stay open, for balancers and for people with grpcurl.
function requireToken(token: string): ServerInterceptor {
  const expected = `Bearer ${token}`;
  return (method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, pass) => {
            const given = String(metadata.get('authorization')[0] ?? '');
            if (!method.path.startsWith(`/${SERVICE}/`) || equalInConstantTime(given, expected))
              return pass(metadata);
            const refusal = toServiceError({
              code: 'unauthorized',
              message: 'Send metadata "authorization: Bearer <internal token>" (setting INTERNAL_TOKEN).',
            });
            call.sendStatus({
              code: status.UNAUTHENTICATED,
              details: refusal.details,
              metadata: refusal.metadata,
            });
          },
        });
      },
    });
}

function bind(server: Server, address: string, config: GrpcSettings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, serverCredentials(config), (error, port) => {
      if (error) reject(error);
      else resolve(port);
    });
  });
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), STOP_LIMIT_MS);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}
