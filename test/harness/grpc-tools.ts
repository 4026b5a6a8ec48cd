// What a person does with grpcurl: the standard health and reflection services, from their own protos.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  credentials,
  loadPackageDefinition,
  type Client,
  type ClientDuplexStream,
  type Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protoPath as healthProto } from 'grpc-health-check';

const { resolve } = createRequire(import.meta.url);

interface HealthStub extends Client {
  check(
    request: { service: string },
    callback: (error: ServiceError | null, answer: { status: string }) => void,
  ): void;
}

type Insecure = ReturnType<typeof credentials.createInsecure>;

interface ServiceList {
  listServicesResponse: { service: { name: string }[] };
}

interface ReflectionStub extends Client {
  serverReflectionInfo(token: Metadata): ClientDuplexStream<{ listServices: string }, ServiceList>;
}

/** Client of grpc.health.v1.Health. */
export const HealthClient = (
  loadPackageDefinition(loadSync(healthProto, { enums: String })) as unknown as {
    grpc: {
      health: {
        v1: {
          Health: new (address: string, how: ReturnType<typeof credentials.createInsecure>) => HealthStub;
        };
      };
    };
  }
).grpc.health.v1.Health;

/** Names of the services that a server's reflection lists. Throws its refusal. */
export async function listServices(address: string, token: Metadata): Promise<string[]> {
  const proto = join(resolve('@grpc/reflection'), '../../proto/grpc/reflection/v1/reflection.proto');
  const loaded = loadPackageDefinition(loadSync(proto)) as unknown as {
    grpc: {
      reflection: { v1: { ServerReflection: new (address: string, how: Insecure) => ReflectionStub } };
    };
  };
  const client = new loaded.grpc.reflection.v1.ServerReflection(address, credentials.createInsecure());
  const call = client.serverReflectionInfo(token);
  const names = await new Promise<string[]>((done, reject) => {
    call.on('data', (answer: ServiceList) =>
      done(answer.listServicesResponse.service.map((one) => one.name)),
    );
    call.on('error', reject);
    call.write({ listServices: '*' });
    call.end();
  }).finally(() => client.close());
  return names;
}
