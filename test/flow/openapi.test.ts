// The OpenAPI document against the official schema of OpenAPI 3.1, and what the document promises of routes that an
// outside fuzzer found to answer otherwise.

import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { SCOPES } from '../../core/key/scope.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { required: boolean };
  responses: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
}

let world: ApiWorld;
let document: Document;

beforeAll(async () => {
  world = await createApiWorld();
  document = (await world.call('GET', '/openapi.json')).json;
});
afterAll(() => world?.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test('the document is valid OpenAPI 3.1, and that of 3.0 is valid and has the same operations', async () => {
  const validate = (one: object) => new Validator().validate(structuredClone(one) as Record<string, unknown>);
  expect(await validate(document)).toMatchObject({ valid: true });
  const older = (await world.call('GET', '/openapi-3.0.json')).json;
  expect(older.openapi).toBe('3.0.3');
  expect(await validate(older)).toMatchObject({ valid: true });
  const idsOf = ({ paths }: Document) =>
    Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
  expect(idsOf(older)).toEqual(idsOf(document));
  expect(Object.keys(older.components.schemas)).toEqual(Object.keys(document.components.schemas));
});

test('every reference leads somewhere, every path parameter is described, every name is used once', () => {
  const text = JSON.stringify(document);
  for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer!.split('/').reduce<any>((at, part) => at?.[part], document); // oxlint-disable-line typescript/no-explicit-any
    expect(found, pointer).toBeDefined();
  }
  for (const { path, operation } of operations()) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const described = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    expect(described, path).toEqual(inPath);
  }
  const names = operations().map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
});

test('a method that a path does not support is 405 and names those that it supports, on fixed paths too', async () => {
  const { key } = await world.makeKey({ scopes: [...SCOPES] });
  for (const [path, methods] of Object.entries(document.paths).filter(([path]) => !path.includes('{'))) {
    const wanted = Object.keys(methods).map((method) => method.toUpperCase());
    const other = ['DELETE', 'PATCH', 'GET'].find((method) => !wanted.includes(method))!;
    const answer = await world.call(other, path, { key });
    expect(answer, `${other} ${path}`).toMatchObject({ status: 405, json: { error: 'method_not_allowed' } });
    const allow = wanted.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
    expect(answer.headers.allow, path).toBe(allow.join(', '));
  }
});

test('what a POST may answer to a malformed Idempotency-Key, and what a PATCH without a body is, is documented', async () => {
  for (const { method, path, operation } of operations()) {
    if (method === 'post') expect(Object.keys(operation.responses), path).toContain('422');
    const mustName = operation.operationId === 'rescheduleMessage'; // its time
    if (method === 'patch') expect(operation.requestBody?.required, path).toBe(mustName);
  }
  const { key } = await world.makeKey({ scopes: [...SCOPES] });
  const headers = { 'idempotency-key': 'two words' };
  const bad = await world.call('POST', '/settings/inbound-webhook/test-send', { key, headers });
  expect(bad).toMatchObject({ status: 422, json: { details: [{ path: 'Idempotency-Key' }] } });
});
