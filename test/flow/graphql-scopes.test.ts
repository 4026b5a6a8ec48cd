// Every query and mutation of the schema, asked by everybody who may not: the table of scopes is what happens.

import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildSchema } from '../../api/graphql/schema.ts';
import { updateSecondFactorRequired } from '../../core/tenant/tenant-store.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { declaredScopes, SCOPES, type FieldScope } from '../harness/graphql-scopes.ts';
import { code, login, makePerson, stranger, words } from '../harness/sign-in.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => world.close());

const schema = buildSchema();
const scopes = declaredScopes();
const ROOTS = [
  ['query', schema.getQueryType()!],
  ['mutation', schema.getMutationType()!],
  ['subscription', schema.getSubscriptionType()!],
] as const;

// Who each scope is the first to let in; whoever asks has this rank.
const ASKERS: readonly [asker: 'nobody' | 'lacking' | 'viewer' | 'member' | 'owner', has: FieldScope][] = [
  ['nobody', 'everybody'],
  ['lacking', 'self'],
  ['viewer', 'signedIn'],
  ['member', 'canWrite'],
  ['owner', 'owner'],
];

const ROLE = ['forbidden', 'Your role does not allow this.'];
const REFUSALS = {
  nobody: ['unauthorized', 'Sign in first: send Authorization: Bearer <access token>.'],
  lacking: [
    'second_factor_missing',
    'Two-factor authentication is required here. Set it up in the dashboard first.',
  ],
  viewer: ROLE,
  member: ROLE,
  owner: ROLE,
};

test.each(ASKERS)('%s is refused by every field above the scope %s', async (asker, has) => {
  const token = asker === 'nobody' ? null : await tokenOf(asker);
  let refused = 0;
  for (const [kind, type] of ROOTS) {
    for (const field of Object.values(type.getFields())) {
      if (SCOPES.indexOf(scopes.get(`${type.name}.${field.name}`)!) <= SCOPES.indexOf(has)) continue;
      const { query, variables } = question(kind, field);
      const as = token === null ? { headers: stranger() } : { key: token };
      const answer = await world.graphql(query, variables, as);
      expect([field.name, code(answer), words(answer)]).toEqual([field.name, ...REFUSALS[asker]]);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(5);
});

async function tokenOf(asker: 'lacking' | 'viewer' | 'member' | 'owner'): Promise<string> {
  const person = await makePerson(world, asker === 'lacking' ? 'owner' : asker);
  if (asker === 'lacking') await updateSecondFactorRequired(world.context.db.pool, person.tenantId, true);
  return (await login(world, person)).token;
}

function question(kind: string, { name, type, args }: GraphQLField<unknown, unknown>) {
  const needed = args.filter(
    (arg) => isRequiredArgument(arg) || isInputObjectType(getNullableType(arg.type)),
  );
  const given = needed.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const declared = needed.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const query = `${kind}${declared && `(${declared})`} { ${name}${given && `(${given})`} ${selection(type)} }`;
  return { query, variables: Object.fromEntries(needed.map((arg) => [arg.name, anyValue(arg.type)])) };
}

// Some value that the type of an argument allows.
function anyValue(type: GraphQLInputType): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [];
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  if (isInputObjectType(inner)) {
    const needed = Object.values(inner.getFields()).filter((field) => isRequiredInputField(field));
    return Object.fromEntries(needed.map((field) => [field.name, anyValue(field.type)]));
  }
  const scalars: Record<string, unknown> = { ID: 'msg_x', Int: 1, Float: 1, Boolean: true, JSON: {} };
  return scalars[String(inner)] ?? (String(inner) === 'DateTime' ? '2030-01-01T00:00:00.000Z' : 'x');
}

function selection(type: GraphQLOutputType): string {
  return isLeafType(getNamedType(type)) ? '' : '{ __typename }';
}
