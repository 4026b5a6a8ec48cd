// The gRPC server of the sender: credentials, token, health and reflection. What the methods do is in methods.ts and
// send-stream.ts.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import {
  Server,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerCredentials,
  type ServerInterceptor,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';

import type { Config } from '../../core/base/config.ts';
import { equalInConstantTime } from '../../core/base/secrets.ts';
import type { ErrorCode } from '../../core/base/errors.ts';
import type { Logger } from '../../core/base/log.ts';
import { serverCredentials, type GrpcSettings } from '../../core/clients/grpc-credentials.ts';
import { toServiceError } from '../../core/clients/grpc-errors.ts';
import { MAX_GRPC_BYTES } from '../../core/clients/sender-peers.ts';
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
const HEALTH_SERVICE = 'grpc.health.v1.Health';
const HEALTH = `/${HEALTH_SERVICE}/`;
const STOP_LIMIT_MS = 5_000; // a release that reports its progress is cut off after this; its caller repeats it

/** Starts listening. Port 0 chooses a free one. `methods` are given what is aborted when streams are to end. */
export async function startGrpcServer(
  config: GrpcSettings & Pick<Config, 'BIND_ADDRESS' | 'SENDER_GRPC_PORT' | 'GRPC_REFLECTION'>,
  methods: (stopping: AbortSignal) => SenderServiceServer,
  log?: Logger,
): Promise<GrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_GRPC_BYTES,
    'grpc.max_send_message_length': MAX_GRPC_BYTES,
    interceptors: [requireToken(config.INTERNAL_TOKEN), refuseUnreadable],
  });
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE]: 'SERVING' });
  const stopping = new AbortController();
  server.addService(tolerant(SenderServiceService), methods(stopping.signal));
  health.addToServer(server);
  if (config.GRPC_REFLECTION) reflection().addToServer(server);
  const port = await bind(
    server,
    `${config.BIND_ADDRESS}:${config.SENDER_GRPC_PORT}`,
    serverCredentials(config, log),
  );
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

// The files as protoc made them: those that proto-loader makes of a set lack google.protobuf.Struct.
function reflection(): ReflectionService {
  const descriptors = readFileSync(join(import.meta.dirname, '../../core/gen/descriptors.bin'));
  const { file } = fromBinary(FileDescriptorSetSchema, descriptors);
  const fileDescriptorProtos = file.map((one) => Buffer.from(toBinary(FileDescriptorProtoSchema, one)));
  const files = { format: 'Protocol Buffer 3 DescriptorProto' as const, type: {}, fileDescriptorProtos };
  return new ReflectionService({ files }, { services: [SERVICE, HEALTH_SERVICE] });
}

// Health alone stays open, for balancers: it says nothing about anyone's mail or about what can be called.
function requireToken(token: string): ServerInterceptor {
  const expected = `Bearer ${token}`;
  return (method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, pass) => {
            const given = String(metadata.get('authorization')[0] ?? '');
            if (method.path.startsWith(HEALTH) || equalInConstantTime(given, expected)) return pass(metadata);
            const message =
              'Send metadata "authorization: Bearer <internal token>" (setting INTERNAL_TOKEN).';
            refuse(call, { code: 'unauthorized', message });
          },
        });
      },
    });
}

const UNREADABLE = Symbol('bytes that are no message');

// grpc-js says INTERNAL for bytes that are no protobuf; that is the status of our own faults, and callers repeat it.
function tolerant(definition: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(definition).map(([name, method]) => {
    const requestDeserialize = (bytes: Buffer): unknown => {
      try {
        return method.requestDeserialize(bytes);
      } catch {
        return UNREADABLE;
      }
    };
    return [name, { ...method, requestDeserialize }] as const;
  });
  return Object.fromEntries(methods);
}

const refuseUnreadable: ServerInterceptor = (_method, call) =>
  new ServerInterceptingCall(call, {
    start: (next) => {
      next({
        onReceiveMessage: (given: unknown, pass) => {
          if (given !== UNREADABLE) return pass(given);
          const message =
            'The request is not a message of this method. Generate the client from sender.proto.';
          refuse(call, { code: 'validation_failed', message });
        },
      });
    },
  });

function refuse(call: ServerInterceptingCallInterface, refusal: { code: ErrorCode; message: string }): void {
  const { code, details, metadata } = toServiceError(refusal);
  call.sendStatus({ code, details, metadata });
}

function bind(server: Server, address: string, proof: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, proof, (error, port) => {
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
