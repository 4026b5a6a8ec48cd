// SAML documents are read in a separate process: what one tenant sends delays no request of others and stops nothing.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { AppError } from '../../core/base/errors.ts';
import { createLogger } from '../../core/base/log.ts';
import type { ExpectedResponse } from '../../core/sso/saml-job.ts';
import {
  createSamlReader,
  MAX_WAITING,
  MAX_WAITING_OF_TENANT,
  type SamlReader,
} from '../../core/sso/saml-reader.ts';
import type { ApiWorld } from '../harness/api-world.ts';
import type { SamlIdp } from '../harness/saml-idp.ts';
import { openSamlWorld, samlSteps } from '../harness/saml-world.ts';
import { waitUntil } from '../harness/wait.ts';

describe('an api', () => {
  let world: ApiWorld;
  let idp: SamlIdp;
  beforeAll(async () => {
    ({ world, idp } = await openSamlWorld());
  });
  afterAll(async () => {
    await idp.close();
    await world.close();
  });
  const { org, save } = samlSteps(() => ({ world, idp }));

  // As many tags as metadata may have: 0.3 s of CPU each.
  const LARGE = `<a>${'<b/>'.repeat(2_998)}</a>`;

  test('answers other requests before it has read the metadata files that came first', async () => {
    const [busy, other] = [await org(), await org()];
    const answered: string[] = [];
    const files = Array.from({ length: 10 }, async () => {
      const { json } = await save(busy, { idpMetadataXml: LARGE });
      answered.push(json.errors[0].extensions.code);
    });
    const others = Array.from({ length: 10 }, async () => {
      const { json } = await world.graphql('{ samlConnection { idpEntityId } }', {}, { key: other.token });
      expect(json.data.samlConnection.idpEntityId).toBe(idp.entityId);
      answered.push('other');
    });
    await Promise.all([...files, ...others]);
    expect(answered.filter((one) => one === 'validation_failed')).toHaveLength(10);
    expect(answered.lastIndexOf('other')).toBeLessThan(answered.lastIndexOf('validation_failed'));
  });

  test('refuses more files of a tenant than may wait, with the time of the next try', async () => {
    const busy = await org();
    const answers = await Promise.all(
      Array.from({ length: MAX_WAITING_OF_TENANT + 10 }, () => save(busy, { idpMetadataXml: LARGE })),
    );
    const errors = answers.map(({ json }) => json.errors[0].extensions);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['validation_failed', 'unavailable']));
    expect(errors.find(({ code }) => code === 'unavailable').retryAfterSeconds).toBe(2);
  });
});

describe('a reader', () => {
  let reader: SamlReader;
  afterEach(() => reader.close());

  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const open = (): SamlReader =>
    (reader = createSamlReader(log, new URL('../harness/saml-child.ts', import.meta.url)));
  const pid = async (tenantId = 'a') => Number((await reader.readMetadata(tenantId, 'pid')).idpEntityId);
  const expected = {} as ExpectedResponse;
  const refusal = (reading: Promise<unknown>): Promise<unknown> =>
    reading.then(
      () => 'none',
      (error: unknown) => (error instanceof AppError ? [error.code, error.retryAfterSeconds] : error),
    );

  test.each(['hang', 'eat', 'exit', 'throw'])(
    'refuses a document that makes its process %s, and reads the next one',
    async (deed) => {
      open();
      const [metadata, response, next] = await Promise.all([
        refusal(reader.readMetadata('a', deed)),
        reader.readResponse('b', deed, expected),
        pid('c'),
      ]);
      expect(metadata).toEqual(['validation_failed', undefined]);
      expect(response).toEqual({
        ok: false,
        reason: 'invalid',
        why: 'the response could not be read within 2 s: it is too complex',
      });
      expect(next).toBeGreaterThan(0);
    },
    30_000,
  );

  test('reads a document again whose process was killed from outside', async () => {
    open();
    const first = await pid();
    const reading = refusal(reader.readMetadata('a', 'hang'));
    const next = pid('b'); // waits until the process is free
    process.kill(first, 'SIGKILL');
    expect(await reading).toEqual(['validation_failed', undefined]); // hangs in the second process too
    expect(await next).not.toBe(first);
  });

  test('gives its process no settings, and starts one only when it is needed', async () => {
    open();
    const { idpSsoUrl } = await reader.readMetadata('a', 'env');
    expect(Object.keys(JSON.parse(idpSsoUrl))).toEqual([]);
  });

  test('lets tenants take turns', async () => {
    open();
    const order: string[] = [];
    const read = async (tenantId: string) => {
      const { certificates } = await reader.readMetadata(tenantId, 'x');
      order[Number(certificates[0])] = tenantId;
    };
    await Promise.all(['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map(read));
    expect(order.join('')).toBe('aabcabaa');
  });

  test('bounds the documents that wait, of one tenant and of all', async () => {
    open();
    const readings = (tenantId: string, count: number) =>
      Array.from({ length: count }, () => refusal(reader.readMetadata(tenantId, 'x')));
    const tenants = Array.from({ length: MAX_WAITING / MAX_WAITING_OF_TENANT }, (_, i) => `tenant ${i}`);
    const inProcess = readings('first', 1);
    const own = readings(tenants[0]!, MAX_WAITING_OF_TENANT + 1);
    const others = tenants.slice(1).flatMap((one) => readings(one, MAX_WAITING_OF_TENANT));
    const beyond = readings('last', 1);
    const refused = ['unavailable', 2];
    expect(await Promise.all(beyond)).toEqual([refused]);
    expect((await Promise.all(own)).filter((one) => one !== 'none')).toEqual([refused]);
    expect(new Set(await Promise.all([...inProcess, ...others]))).toEqual(new Set(['none']));
  });

  test('ends its process when it closes, and refuses what is read then', async () => {
    open();
    const first = await pid();
    const reading = refusal(reader.readMetadata('a', 'hang'));
    await reader.close();
    expect(await reading).toEqual(['unavailable', 2]);
    const isAlive = () => {
      try {
        return process.kill(first, 0);
      } catch {
        return false;
      }
    };
    await waitUntil(() => !isAlive(), { what: 'the end of the process' });
  });
});
