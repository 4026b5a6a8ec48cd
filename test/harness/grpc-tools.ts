// What a person does with grpcurl: the standard health and reflection services, from their own protos.

import { create, createFileRegistry, fromBinary, type DescService } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
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

interface Question {
  listServices?: string;
  fileContainingSymbol?: string;
  fileByFilename?: string;
}

interface Answer {
  listServicesResponse?: { service: { name: string }[] };
  fileDescriptorResponse?: { fileDescriptorProto: Uint8Array[] };
  errorResponse?: { errorMessage: string };
}

interface ReflectionStub extends Client {
  serverReflectionInfo(token: Metadata): ClientDuplexStream<Question, Answer>;
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
  const answer = await askReflection(address, token, { listServices: '*' });
  return answer.listServicesResponse!.service.map((one) => one.name);
}

/** What a server's reflection tells of a service, with all files that it imports. Throws when one cannot be found. */
export async function describeService(address: string, token: Metadata, name: string): Promise<DescService> {
  const files = new Map<string, FileDescriptorProto>(); // each after those that it imports
  const read = async (question: Question): Promise<void> => {
    const { fileDescriptorResponse, errorResponse } = await askReflection(address, token, question);
    if (errorResponse) throw new Error(`${JSON.stringify(question)}: ${errorResponse.errorMessage}`);
    const file = fromBinary(
      FileDescriptorProtoSchema,
      fileDescriptorResponse!.fileDescriptorProto[0]!, // what was asked for
    );
    for (const fileByFilename of file.dependency)
      if (!files.has(fileByFilename)) await read({ fileByFilename });
    files.set(file.name, file);
  };
  await read({ fileContainingSymbol: name });
  const set = create(FileDescriptorSetSchema, { file: [...files.values()] });
  return createFileRegistry(set).getService(name)!;
}

async function askReflection(address: string, token: Metadata, question: Question): Promise<Answer> {
  const proto = join(resolve('@grpc/reflection'), '../../proto/grpc/reflection/v1/reflection.proto');
  const loaded = loadPackageDefinition(loadSync(proto)) as unknown as {
    grpc: {
      reflection: { v1: { ServerReflection: new (address: string, how: Insecure) => ReflectionStub } };
    };
  };
  const client = new loaded.grpc.reflection.v1.ServerReflection(address, credentials.createInsecure());
  const call = client.serverReflectionInfo(token);
  return new Promise<Answer>((done, reject) => {
    call.on('data', done);
    call.on('error', reject);
    call.write(question);
    call.end();
  }).finally(() => client.close());
}
