// The schema builder: which plugins, which scalars, who may see what by default. Types are added by the functions
// under types/.

import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { GraphQLError } from 'graphql';

import { AppError, invalidField, notFound } from '../../core/base/errors.ts';
import { checkValue } from '../../core/base/field-problems.ts';
import { instant } from '../../core/base/time-input.ts';
import { PAGE_LIMIT } from '../cursor.ts';
import { signInRefusal, type GraphqlContext } from './context.ts';

/** Cost of one request: a page of 100 messages with attempts and events is about 7,000. */
const MAX_COST = 10_000;

/** What a list without a page size is reckoned to hold, for the cost. */
const LIST_LENGTH = 5;

/** Types of node ids by their prefix: ids are the same as in REST. */
const NODE_TYPES: ReadonlyMap<string, string> = new Map([
  ['msg', 'Message'],
  ['key', 'ApiKey'],
  ['usr', 'User'],
  ['tnt', 'Tenant'],
  ['dom', 'Domain'],
  ['tpl', 'Template'],
  ['con', 'Contact'],
  ['lst', 'ContactList'],
  ['imp', 'ContactImport'],
  ['cmp', 'Campaign'],
  ['mbx', 'Mailbox'],
  ['inm', 'InboundMessage'],
  ['whk', 'Webhook'],
]);

/** Makes an empty builder. */
export function createBuilder() {
  const builder = new SchemaBuilder<{
    Context: GraphqlContext;
    AuthScopes: { self: boolean; signedIn: boolean; canWrite: boolean; owner: boolean; superAdmin: boolean };
    Scalars: {
      DateTime: { Input: Date; Output: Date };
      JSON: { Input: unknown; Output: unknown };
    };
    DefaultFieldNullability: false;
  }>({
    plugins: [ScopeAuthPlugin, RelayPlugin, ComplexityPlugin],
    defaultFieldNullability: false,
    scopeAuth: {
      authorizeOnSubscribe: true, // or a stream would stand open until its first event is refused
      authScopes: ({ exchange: { principal } }) => {
        const person = principal?.kind === 'user' ? principal : null;
        const role = person === null || person.lacksSecondFactor ? null : person.role;
        return {
          self: person !== null,
          signedIn: role !== null,
          canWrite: role !== null && role !== 'viewer',
          owner: role === 'owner' || role === 'super_admin',
          superAdmin: role === 'super_admin',
        };
      },
      unauthorizedError: (_parent, { exchange }) =>
        signInRefusal(exchange) ?? new AppError('forbidden', 'Your role does not allow this.'),
    },
    relay: {
      clientMutationId: 'omit',
      // Each id is a statement of its own: 25,000 in one request kept all connections of a process busy.
      nodesQueryOptions: {
        complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(ids.length, 1) }),
        resolve: (_root, { ids }, _context, _info, resolveNodes) => {
          if (ids.length > PAGE_LIMIT.max)
            throw invalidField('ids', `must have at most ${PAGE_LIMIT.max} items`);
          return resolveNodes(ids);
        },
      },
      cursorType: 'String',
      edgesFieldOptions: { complexity: { field: 1, multiplier: 1 } }, // the connection has counted its page already
      encodeGlobalID: (_type, id) => String(id),
      decodeGlobalID: (id) => {
        const typename = NODE_TYPES.get(id.split('_')[0] ?? '');
        if (typename === undefined) throw notFound('node');
        return { typename, id };
      },
    },
    complexity: {
      defaultComplexity: 1,
      defaultListMultiplier: LIST_LENGTH,
      limit: { complexity: MAX_COST },
      complexityError: (_kind, { complexity }) =>
        new AppError(
          'validation_failed',
          `The request costs ${complexity}, and the limit is ${MAX_COST}. Select fewer fields or smaller pages.`,
        ),
    },
  });

  builder.scalarType('DateTime', {
    description: 'A time in RFC 3339, UTC, with milliseconds',
    serialize: (value) => value.toISOString(),
    parseValue: (value) => {
      const checked = checkValue(instant, value);
      if (checked.ok) return checked.value;
      throw new GraphQLError(checked.details[0]!.message);
    },
  });
  builder.scalarType('JSON', { description: 'Any JSON value', serialize: (value) => value });
  // Everything needs a signed-in person, and a change one who may write, unless its field says otherwise.
  builder.queryType({ authScopes: { signedIn: true } });
  builder.mutationType({ authScopes: { canWrite: true } });
  return builder;
}

/** Options of a mutation that every signed-in person may make, viewers too: of their own account, or changing nothing. */
export const EVERY_ROLE = { skipTypeScopes: true, authScopes: { signedIn: true } } as const;

/** Options of what also somebody may ask who has yet to set up the second factor that is required of them. */
export const SELF = { skipTypeScopes: true, authScopes: { self: true } } as const;

/** The description of what needs a proof of the last minutes of who one is. */
export const CONFIRMED = 'Needs a sign-in or confirmIdentity within the last 10 minutes';

/** The description of what changes something that belongs to the person, whatever the tenant. */
export const OWN_SESSION = 'Only in a session that the person opened with their password, not by SSO';

/** The builder that type files add to. */
export type Builder = ReturnType<typeof createBuilder>;

/** What the arguments of a query are made with. */
export type QueryArgs = Parameters<Parameters<Builder['queryField']>[1]>[0];
