// Every place of REST and GraphQL where a caller may name a thing, found by walking the route table and the schema; and a
// row for each with the kind of thing and a request that works with an own one.

import { getNamedType, isInputObjectType, type GraphQLInputType } from 'graphql';

import { buildOpenApi } from '../../api/rest/openapi.ts';
import { ROUTES } from '../../api/rest/routes.ts';
import { buildSchema } from '../../api/graphql/schema.ts';
import type { Fields } from './parity-pair.ts';
import { PAIRS } from './parity-pairs.ts';
import type { Holding, Kind } from './tenancy-things.ts';

/** How a place is tried. */
export interface PlaceRow {
  kind: Kind;
  /** What else the request needs: the input of a mutation, or the body of a route. */
  with?: (own: Holding) => Fields;
  /** It filters: with what is not there the answer is empty, or says that it is not there. */
  filter?: true;
  /** Each item of the answer has its own refusal. */
  each?: true;
  /** Only operators may, who see every tenant: an owner is refused whatever is named. */
  operators?: true;
}

const campaign = ({ domain }: Holding) => ({ name: 'C', from: `a@${domain}`, subject: 's', text: 't' });
const toAll = ({ domain }: Holding) => ({ name: 'C', from: `a@${domain}`, audience: { all: true } });
const noSubject = ({ domain }: Holding) => ({ from: `a@${domain}`, to: 'ann@example.net' });
const oneContact = () => ({ contacts: [{ email: 'two@example.net' }] });
const webhook = () => ({ url: 'http://127.0.0.1:9/', event_types: ['*'] });
const adminIds = ({ ids }: Holding) => ({ tenantId: ids.tnt, domainId: ids.dom });
const adminDomain = (own: Holding) => ({ ...adminIds(own), reason: 'r' });
const tier = (own: Holding) => ({ ...adminDomain(own), action: 'hold' });
const EMPTY_DRAFT = { name: '', subject: '', html: '', text: '', variables: [], testData: '' };
const letter = ({ ids }: Holding) => ({ tenantId: ids.tnt, id: ids.dlv });

/**
 * Rows of GraphQL, by `field(argument)` or `mutation(input.field)`. What stands in the path of a mutation's REST twin is tried
 * with another tenant's by test/nightly/parity.test.ts, over both.
 */
export const GRAPHQL_ROWS: Readonly<Record<string, PlaceRow>> = {
  'analytics(campaignId)': { kind: 'cmp', filter: true },
  'campaign(id)': { kind: 'cmp' },
  'createAlertRule(input.domainId)': {
    kind: 'dom',
    with: () => ({ kind: 'bounce_rate', threshold: 3 }),
  },
  'contact(id)': { kind: 'con' },
  'contactImport(id)': { kind: 'imp' },
  'export(id)': { kind: 'exp' },
  'bulkChange(id)': { kind: 'blk' },
  'contactCount(listId)': { kind: 'lst', filter: true },
  // Those that are not there are counted: test/flow/bulk.test.ts sees them stay.
  'createBulkChange(input.ids)': { kind: 'con', with: () => ({ action: 'delete_contacts' }), filter: true },
  'createBulkChange(input.listId)': {
    kind: 'lst',
    with: ({ ids }) => ({ action: 'add_contacts_to_list', ids: [ids.con] }),
  },
  'contacts(listId)': { kind: 'lst', filter: true },
  'domain(id)': { kind: 'dom' },
  'events(messageId)': { kind: 'msg', filter: true },
  'inboundMessage(id)': { kind: 'inm' },
  'inboundMessages(mailboxId)': { kind: 'mbx', filter: true },
  'message(id)': { kind: 'msg' },
  'messages(campaignId)': { kind: 'cmp', filter: true },
  'messageCount(campaignId)': { kind: 'cmp', filter: true },
  'node(id)': { kind: 'cmp' },
  'nodes(ids)': { kind: 'con' },
  'template(id)': { kind: 'tpl' },
  'templateDraft(templateId)': { kind: 'tpl' },
  'tenant(id)': { kind: 'tnt', operators: true },
  'webhook(id)': { kind: 'whk' },
  // Subscriptions stay open and silent: test/flow/graphql-live.test.ts listens to them.
  'campaignProgress(id)': { kind: 'cmp', filter: true },
  'messageUpdated(id)': { kind: 'msg', filter: true },
  'changeRole(input.userId)': { kind: 'usr', with: () => ({ role: 'viewer' }) },
  'createCampaign(input.audience.listId)': { kind: 'lst', with: campaign },
  'createCampaign(input.templateId)': { kind: 'tpl', with: toAll },
  'deleteWarmupSchedule(input.tenantId)': { kind: 'tnt', operators: true },
  'previewTemplate(input.id)': { kind: 'tpl' },
  'discardTemplateDraft(input.templateId)': { kind: 'tpl' },
  'removePerson(input.userId)': { kind: 'usr' },
  'resetSecondFactor(input.userId)': { kind: 'usr' },
  'replayDeadLetter(input.id)': { kind: 'dlv', with: letter, operators: true },
  'replayDeadLetter(input.tenantId)': { kind: 'tnt', with: letter, operators: true },
  'replayAllDeadLetters(input.tenantId)': { kind: 'tnt', operators: true },
  'overrideTier(input.domainId)': { kind: 'dom', with: tier, operators: true },
  'overrideTier(input.tenantId)': { kind: 'tnt', with: tier, operators: true },
  'releaseTenantBrake(input.domainId)': { kind: 'dom', with: adminIds, operators: true },
  'releaseTenantBrake(input.tenantId)': { kind: 'tnt', with: adminIds, operators: true },
  'resumeDomain(input.domainId)': { kind: 'dom', with: adminDomain, operators: true },
  'resumeDomain(input.tenantId)': { kind: 'tnt', with: adminDomain, operators: true },
  'suspendTenant(input.tenantId)': { kind: 'tnt', operators: true },
  'reactivateTenant(input.tenantId)': { kind: 'tnt', operators: true },
  'changePlan(input.tenantId)': { kind: 'tnt', with: () => ({ plan: 'pro' }), operators: true },
  'generateWarmupSchedule(input.tenantId)': {
    kind: 'tnt',
    with: () => ({ startDate: '2030-01-01', totalTargetRecipients: 20_000 }),
    operators: true,
  },
  'markInboundMessage(input.id)': { kind: 'inm', with: () => ({ read: true }) },
  'deleteInboundMessage(input.id)': { kind: 'inm' },
  'createContact(input.listIds)': { kind: 'lst', with: () => ({ email: 'one@example.net' }) },
  'updateContact(input.listIds)': { kind: 'lst', with: ({ ids }) => ({ id: ids.con }) },
  'createWebhook(input.domainIds)': {
    kind: 'dom',
    with: () => ({ url: 'http://127.0.0.1:9/', eventTypes: ['*'] }),
  },
  'updateWebhook(input.domainIds)': { kind: 'dom', with: ({ ids }) => ({ id: ids.whk }) },
  'revokeApiKey(input.id)': { kind: 'key' },
  'revokeInvitation(input.id)': { kind: 'inv' },
  'revokeSession(input.id)': { kind: 'ses' },
  'saveTemplateDraft(input.templateId)': { kind: 'tpl', with: () => ({ content: EMPTY_DRAFT }) },
  'sendMessage(input.templateId)': { kind: 'tpl', with: noSubject },
  'switchTenant(input.tenantId)': { kind: 'tnt' },
  'updateCampaign(input.audience.listId)': { kind: 'lst', with: ({ ids }) => ({ id: ids.cmp }) },
  'updateCampaign(input.templateId)': { kind: 'tpl', with: ({ ids }) => ({ id: ids.cmp, text: null }) },
};

/** Rows of REST, for ids in queries and bodies; those in paths have their kind in the table of routes. */
export const REST_ROWS: Readonly<Record<string, PlaceRow>> = {
  'POST /transactional/send body template_id': { kind: 'tpl', with: noSubject },
  'POST /transactional/batch body messages.template_id': {
    kind: 'tpl',
    with: (own) => ({ messages: [noSubject(own)] }),
    each: true,
  },
  'GET /analytics query campaign_id': { kind: 'cmp', filter: true },
  'GET /transactional query campaign_id': { kind: 'cmp', filter: true },
  'GET /events query message_id': { kind: 'msg', filter: true },
  'POST /contacts/import query list_id': { kind: 'lst', with: oneContact },
  'POST /contacts/import body list_id': { kind: 'lst', with: oneContact },
  'POST /exports body filter.campaign_id': { kind: 'cmp', with: () => ({ kind: 'messages' }), filter: true },
  'POST /exports body filter.list_id': { kind: 'lst', with: () => ({ kind: 'contacts' }), filter: true },
  'POST /exports body filter.message_id': { kind: 'msg', with: () => ({ kind: 'events' }), filter: true },
  'GET /contacts query list_id': { kind: 'lst', filter: true },
  'POST /contacts body lists': { kind: 'lst', with: () => ({ email: 'new@example.net' }) },
  'PATCH /contacts/{id} body lists': { kind: 'lst', with: () => ({}) },
  'POST /campaigns body template_id': { kind: 'tpl', with: toAll },
  'POST /campaigns body audience.list_id': { kind: 'lst', with: campaign },
  'PATCH /campaigns/{id} body template_id': { kind: 'tpl', with: () => ({ text: null }) },
  'PATCH /campaigns/{id} body audience.list_id': { kind: 'lst', with: () => ({}) },
  'POST /alert-rules body domain_id': {
    kind: 'dom',
    with: () => ({ kind: 'block_rate', threshold: 3 }),
  },
  'POST /webhooks body domain_ids': { kind: 'dom', with: webhook },
  'PATCH /webhooks/{id} body domain_ids': { kind: 'dom', with: () => ({}) },
  'GET /mail/messages query mailbox_id': { kind: 'mbx', filter: true },
};

/** A place of GraphQL. */
interface GraphqlPlace {
  name: string;
  root: 'query' | 'mutation' | 'subscription';
  field: string;
  argument: string;
  type: GraphQLInputType;
  /** Below the argument. */
  path: string[];
  /** The value is a list of ids. */
  list: boolean;
}

const schema = buildSchema();
const MAX_DEPTH = 4; // of inputs and bodies

/** Every argument and input field of type ID, but for those that parity.test.ts tries. */
export const GRAPHQL_PLACES: readonly GraphqlPlace[] = (['query', 'mutation', 'subscription'] as const)
  .flatMap((root) => {
    const type = {
      query: schema.getQueryType(),
      mutation: schema.getMutationType(),
      subscription: schema.getSubscriptionType(),
    }[root];
    return Object.values(type!.getFields()).flatMap((field) =>
      field.args.flatMap((one) =>
        idsIn(one.type).map(({ path, list }) => ({
          name: `${field.name}(${[one.name, ...path].join('.')})`,
          root,
          field: field.name,
          argument: one.name,
          type: one.type,
          path,
          list,
        })),
      ),
    );
  })
  .filter(({ field, path }) => !isTriedByParity(field, path.join('.')));

function isTriedByParity(mutation: string, name: string): boolean {
  const pair = PAIRS.find((one) => one.mutation === mutation && one.refusalsOnly === undefined && !one.admin);
  const parameters = [...(pair?.route.matchAll(/\{(\w+)\}/g) ?? [])].map(
    ([, one]) => pair!.params?.[one!] ?? one!,
  );
  return parameters.includes(name);
}

function idsIn(type: GraphQLInputType, path: string[] = []): { path: string[]; list: boolean }[] {
  const named = getNamedType(type);
  if (named.name === 'ID') return [{ path, list: String(type).startsWith('[') }];
  if (!isInputObjectType(named) || path.length > MAX_DEPTH) return [];
  return Object.values(named.getFields()).flatMap((field) => idsIn(field.type, [...path, field.name]));
}

type Schema = Record<string, unknown>;
interface Operation {
  parameters: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = buildOpenApi(ROUTES, 'https://api.test') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);
const NAMES_THINGS = /(?:^|_)ids?$|^lists$/;
const NOT_OURS = /^content_id$/; // names a part of the message itself

/** Every field of a query or a body of REST whose name says that it is an id. */
export const REST_PLACES: readonly string[] = OPERATIONS.flatMap(({ route, operation }) => [
  ...operation.parameters
    .filter((one) => one.in === 'query' && NAMES_THINGS.test(one.name))
    .map((one) => `${route} query ${one.name}`),
  ...bodyPaths(operation.requestBody?.content['application/json']?.schema).map(
    (path) => `${route} body ${path}`,
  ),
]);

function bodyPaths(given: Schema | undefined, path: string[] = []): string[] {
  if (!given || path.length > MAX_DEPTH) return [];
  const ref = given['$ref'];
  const found = typeof ref === 'string' ? document.components.schemas[ref.split('/').at(-1)!]! : given;
  const also = [...((found['anyOf'] ?? []) as Schema[]), ...((found['oneOf'] ?? []) as Schema[])];
  const below = Object.entries((found['properties'] ?? {}) as Record<string, Schema>).flatMap(
    ([name, one]) => [
      ...(NAMES_THINGS.test(name) && !NOT_OURS.test(name) ? [[...path, name].join('.')] : []),
      ...bodyPaths(one, [...path, name]),
    ],
  );
  const items = bodyPaths(found['items'] as Schema | undefined, path);
  return [...new Set([...below, ...items, ...also.flatMap((one) => bodyPaths(one, path))])];
}

/** Ids in the paths of routes for tenants: the route, and the kind of each. */
export const PATH_PLACES: readonly { route: string; kinds: Record<string, Kind> }[] = OPERATIONS.flatMap(
  ({ route, operation }) => {
    const kinds = operation.parameters.flatMap(({ name, in: where, description = '' }) => {
      const kind = /`(\w+)_…`/.exec(description)?.[1] as Kind | undefined;
      return where === 'path' && kind !== undefined ? [[name, kind] as const] : [];
    });
    return kinds.length > 0 && !route.includes(' /admin/')
      ? [{ route, kinds: Object.fromEntries(kinds) }]
      : [];
  },
);
