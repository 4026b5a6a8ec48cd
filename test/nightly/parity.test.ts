// REST and GraphQL do the same: for each mutation and its route, what they leave behind and what they refuse.

import { isNonNullType, isScalarType, getNullableType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ROUTES } from '../../api/rest/routes.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import type { Fields, Pair, Side } from '../harness/parity-pair.ts';
import { ONLY_GRAPHQL, ONLY_REST, PAIRS } from '../harness/parity-pairs.ts';
import {
  askGraphql,
  askRest,
  inputOf,
  makeSide,
  MUTATIONS,
  signIn,
  traced,
} from '../harness/parity-world.ts';
import { startRefusingDns, type TroubledDns } from '../harness/refusing-dns.ts';

let world: ApiWorld;
let dns: TroubledDns;
beforeAll(async () => {
  dns = await startRefusingDns();
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1', DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await world.close();
  await dns.close();
});

const TOO_LONG = { what: 'too long', text: 'x'.repeat(600_000) }; // more than fields take, less than a body may have

test('every mutation, and every route that changes something, has its twin or a reason to have none', () => {
  const mutations = [...PAIRS.map((pair) => pair.mutation), ...Object.keys(ONLY_GRAPHQL)];
  expect(mutations.toSorted()).toEqual(MUTATIONS.toSorted());
  const routes = [...PAIRS.map((pair) => pair.route), ...Object.keys(ONLY_REST)];
  const changing = ROUTES.filter(({ method }) => method !== 'GET').map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(routes.toSorted()).toEqual(changing.toSorted());
});

describe.each(PAIRS.map((pair) => [pair.mutation, pair.route, pair] as const))(
  '%s and %s',
  (_m, _r, pair) => {
    if (pair.refusalsOnly === undefined)
      test('leave the same behind', async () => {
        const { rest, graphql } = await sides(pair);
        const [forRest, forGraphql] = [await pair.good(rest.side), await pair.good(graphql.side)];
        const one = await traced(world, pair, rest.side, () => askRest(world, pair, rest.key, forRest));
        const other = await traced(world, pair, graphql.side, () =>
          askGraphql(world, pair, graphql.key, forGraphql),
        );
        expect(one.outcome).toEqual({ code: null, paths: [] });
        expect(other).toEqual(one);
      });

    test('refuse the same', async () => {
      const { rest, graphql } = await sides(pair);
      const [forRest, forGraphql] = [await pair.good(rest.side), await pair.good(graphql.side)];
      const foreign = await pair.good(await makeSide(world));
      for (const { what, change, byType } of badInputs(pair, foreign)) {
        const one = await askRest(world, pair, rest.key, change(forRest));
        const other = await askGraphql(world, pair, graphql.key, change(forGraphql));
        // Some texts may be as long as the body.
        if (!what.endsWith(TOO_LONG.what)) expect(one.code, what).not.toBeNull();
        // What the type of GraphQL refuses it refuses before the verb, and names in its message only.
        expect(other, what).toEqual(byType ? { ...one, paths: [] } : one);
      }
    });
  },
);

interface Asker {
  side: Side;
  key: string;
}

/** Who asks over REST and who over GraphQL, each of a tenant of their own. */
async function sides(pair: Pair): Promise<{ rest: Asker; graphql: Asker }> {
  const [rest, graphql] = [await makeSide(world), await makeSide(world)];
  const key = pair.admin ? (await createAdminToken(world.context, TESTER)).value : rest.key;
  const token = await signIn(world, graphql.tenantId, pair.admin ? 'super_admin' : 'owner');
  return { rest: { side: rest, key }, graphql: { side: graphql, key: token } };
}

interface Bad {
  what: string;
  change: (good: Fields) => Fields;
  /** GraphQL's own types refuse it. */
  byType: boolean;
}

function badInputs(pair: Pair, foreign: Fields): Bad[] {
  const isPatch = pair.route.startsWith('PATCH'); // leaves what it does not name; a mutation's type may ask for it
  const parameters = [...pair.route.matchAll(/\{(\w+)\}/g)].map(([, name]) => pair.params?.[name!] ?? name!);
  return Object.values(inputOf(pair.mutation)?.getFields() ?? {}).flatMap((field): Bad[] => {
    const { name } = field;
    const set = (what: string, value: unknown, byType = false): Bad => ({
      what: `${name}: ${what}`,
      change: (good) => ({ ...good, [name]: value }),
      byType,
    });
    if (parameters.includes(name)) {
      if (name === 'tenantId') return [set('of nothing', toId('tnt', newUuid()))];
      return pair.params?.[name] === name ? [] : [set('another tenant’s', foreign[name])];
    }
    const type = getNullableType(field.type);
    const isText = isScalarType(type) && ['String', 'ID'].includes(type.name);
    const others = /Ids?$/.test(name) && typeof [foreign[name]].flat()[0] === 'string';
    const leftOut = set('left out', undefined, true);
    return [
      ...(isNonNullType(field.type) ? [set('null', null, true), ...(isPatch ? [] : [leftOut])] : []),
      ...(isScalarType(type) && type.name === 'JSON' ? [] : [set('of the wrong type', { wrong: 1 }, true)]),
      ...(others ? [set('another tenant’s', foreign[name])] : []),
      ...(isText ? [set(TOO_LONG.what, TOO_LONG.text)] : []),
      ...(isText && !pair.anyText?.includes(name) ? [set('U+0000', 'a\0b')] : []),
    ];
  });
}
