// Sending domains: what to publish, what is wrong with it, and the settings.

import { poolsOfTenant } from '../../../core/base/egress-pools.ts';
import { toId } from '../../../core/base/ids.ts';
import {
  domainChange,
  MAX_TRANSACTIONAL_RESERVE,
  newDomain,
  type SPAM_POLICIES,
} from '../../../core/domain/domain-input.ts';
import {
  TRACKING_HOST_STATUSES,
  type DomainRecord,
  type DomainView,
  type TrackingHostStatus,
} from '../../../core/domain/domain.ts';
import {
  createDomain,
  deleteDomain,
  getDomain,
  listDomains,
  patchDomain,
} from '../../../core/domain/domains.ts';
import { cancelDkimRotation, startDkimRotation } from '../../../core/domain/rotate-dkim.ts';
import { verifyDomain } from '../../../core/domain/verify-domain.ts';
import type { BrakeNumbers } from '../../../core/db/schema/domain.ts';
import { releaseBrake } from '../../../core/warmup/release-brake.ts';
import type { Builder } from '../builder.ts';
import { asCaller, signedIn, type GraphqlContext } from '../context.ts';
import { DOMAIN_KEY, UUID_KEY } from '../../cursor.ts';
import { connectionCost, resolveForward } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { DeletePayload } from './deleted.ts';

/** Adds Domain, its queries and its mutations. */
export function addDomainTypes(builder: Builder, deleted: DeletePayload) {
  const spamPolicy = addSpamPolicy(builder);
  const domain = addDomain(builder, spamPolicy);
  const sorts = builder.enumType('DomainSort', { values: ['newest', 'name'] as const });
  builder.queryField('domains', (t) =>
    t.connection({
      type: domain,
      description: 'Newest first, unless `sort` says otherwise',
      args: { sort: t.arg({ type: sorts }) },
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveForward<DomainView>(
          args,
          [args.sort === 'name' ? DOMAIN_KEY : UUID_KEY],
          ({ id, name }) => [args.sort === 'name' ? name : id],
          ({ after, limit }) =>
            listDomains(context.deps, signedIn(context).tenantId, {
              before: args.sort === 'name' ? null : (after?.[0] ?? null),
              afterName: args.sort === 'name' ? (after?.[0] ?? '') : undefined,
              limit,
            }),
        ),
    }),
  );
  builder.queryField('domain', (t) =>
    t.field({
      type: domain,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => readDomain(context, id),
    }),
  );
  addChanges(builder, domain, spamPolicy, deleted);
  return { domain };
}

function addSpamPolicy(builder: Builder) {
  return builder.enumType('SpamPolicy', {
    values: {
      keep: { description: 'Stored like other mail' },
      mark: { description: 'Stored as junk' },
      refuse: {
        description:
          'Viruses, and spam that the scanner rejects, are answered with 554 or 550; other spam is stored as junk',
      },
    } satisfies Record<(typeof SPAM_POLICIES)[number], unknown>,
  });
}

function addDomain(builder: Builder, spamPolicy: ReturnType<typeof addSpamPolicy>) {
  const recordStatus = builder.enumType('RecordStatus', {
    values: ['pending', 'found', 'missing', 'wrong'] as const,
  });
  const status = builder.enumType('DomainStatus', { values: ['pending', 'verified', 'failed'] as const });
  const dkim = builder.objectRef<NonNullable<DomainView['dkim']>>('Dkim').implement({
    description: 'The signing key',
    fields: (t) => ({
      selector: t.exposeString('selector'),
      algorithm: t.exposeString('algorithm'),
      status: t.expose('status', { type: recordStatus }),
    }),
  });
  const record = builder.objectRef<DomainRecord>('DnsRecord').implement({
    description: 'A record to publish, and the result of the last DNS check',
    fields: (t) => ({
      purpose: t.exposeString('purpose'),
      type: t.exposeString('type'),
      name: t.exposeString('name', { description: 'The full name' }),
      value: t.exposeString('value'),
      priority: t.exposeInt('priority', { nullable: true, description: 'For an MX record' }),
      required: t.exposeBoolean('required', { description: 'Required for verification' }),
      status: t.expose('status', { type: recordStatus }),
      problem: t.exposeString('problem', { nullable: true, description: 'The problem and the next step' }),
    }),
  });
  const brake = addBrake(builder);
  const trackingHost = addTrackingHost(builder);
  const domain = builder.objectRef<DomainView>('Domain');
  builder.node(domain, {
    id: { resolve: ({ id }) => toId('dom', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'returnPathDomain' in value,
    loadOne: (id, context) => readDomain(context, id),
    fields: (t) => ({
      name: t.exposeString('name'),
      status: t.expose('status', { type: status }),
      problem: t.exposeString('problem', {
        nullable: true,
        description: 'Why verification failed, when it is not because of a single record',
      }),
      dkim: t.expose('dkim', { type: dkim, nullable: true }),
      records: t.expose('records', { type: [record] }),
      brake: t.field({
        type: brake,
        description: 'The same-day brake: what of its mail waits because today it comes to no good',
        resolve: (self) => self,
      }),
      trackingHost: t.expose('trackingHost', {
        type: trackingHost,
        description: 'The domain’s own name for links and pixel',
      }),
      brakeEnabled: t.exposeBoolean('brakeEnabled'),
      senderRulesEnabled: t.exposeBoolean('senderRulesEnabled', {
        description: 'Whether campaign mail above 5,000 a day waits while the domain has no DMARC record',
      }),
      pool: t.exposeString('pool', {
        nullable: true,
        description: 'The pool of addresses that its mail leaves from; null for the one of the service',
      }),
      usablePools: t.stringList({
        description: 'The names of the pools that it may use; empty when there is no choice',
        resolve: ({ tenantId }, _args, { deps }) =>
          poolsOfTenant(deps.config.EGRESS_POOLS, tenantId).map(({ name }) => name),
      }),
      inboundEnabled: t.exposeBoolean('inboundEnabled'),
      spamPolicy: t.expose('spamPolicy', {
        type: spamPolicy,
        description: 'What happens to inbound spam and viruses',
      }),
      cfblEnabled: t.exposeBoolean('cfblEnabled', {
        description: 'Whether its mail names the complaint address in a CFBL-Address field (RFC 9477)',
      }),
      transactionalReserve: t.exposeInt('transactionalReserve', {
        description: 'Percent of the daily cap reserved for transactional mail',
      }),
      complaintAddress: t.exposeString('complaintAddress'),
      dmarcAddress: t.exposeString('dmarcAddress', {
        description: 'Where receivers send DMARC aggregate reports (`rua`)',
      }),
      tlsReportAddress: t.exposeString('tlsReportAddress', {
        description: 'Where senders report about TLS (RFC 8460)',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      verifiedAt: t.expose('verifiedAt', { type: 'DateTime', nullable: true }),
      checkedAt: t.expose('checkedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Time of the last DNS check',
      }),
    }),
  });
  return domain;
}

function addTrackingHost(builder: Builder) {
  const statuses = Object.entries(TRACKING_HOST_STATUSES).map(([name, description]) => [
    name,
    { description },
  ]);
  const status = builder.enumType('TrackingHostStatus', {
    values: Object.fromEntries(statuses) as Record<TrackingHostStatus, { description: string }>,
  });
  return builder.objectRef<DomainView['trackingHost']>('TrackingHost').implement({
    description: 'Where links, pixel and unsubscribe page of a domain’s mail are while it is live',
    fields: (t) => ({
      name: t.exposeString('name'),
      status: t.expose('status', { type: status }),
      problem: t.exposeString('problem', {
        nullable: true,
        description: 'What keeps it from being live, or soon will, and the next step',
      }),
      certificateExpiresAt: t.expose('certificateExpiresAt', { type: 'DateTime', nullable: true }),
    }),
  });
}

function addBrake(builder: Builder) {
  const state = builder.enumType('BrakeState', {
    values: {
      off: {},
      bulk: { description: 'Campaign mail waits' },
      all: { description: 'Transactional mail waits too, but for one message a minute' },
    },
  });
  const measure = builder.enumType('BrakeMeasure', { values: ['bounces', 'blocks', 'complaints'] as const });
  const numbers = builder.objectRef<BrakeNumbers>('BrakeNumbers').implement({
    description: 'The outcomes of the day at the moment of the decision',
    fields: (t) => ({
      measure: t.expose('measure', { type: measure }),
      transactionalOnly: t.exposeBoolean('transactional_only'),
      attempted: t.exposeInt('attempted'),
      delivered: t.exposeInt('delivered'),
      bounced: t.exposeInt('bounced'),
      unknown: t.exposeInt('unknown', { description: 'Of the bounces: the recipient does not exist' }),
      blocked: t.exposeInt('blocked', { description: 'Refused by policy or reputation' }),
      complained: t.exposeInt('complained'),
    }),
  });
  const onlyOn =
    <T>(read: (domain: DomainView) => T | null) =>
    (domain: DomainView) =>
      domain.brakeState === 'off' ? null : read(domain);
  return builder.objectRef<DomainView>('DomainBrake').implement({
    description: 'Ends at the next 00:00 UTC',
    fields: (t) => ({
      state: t.expose('brakeState', { type: state }),
      since: t.field({ type: 'DateTime', nullable: true, resolve: onlyOn(({ brakeSince }) => brakeSince) }),
      reason: t.string({
        nullable: true,
        description: 'What happened, what waits and until when',
        resolve: onlyOn(({ brakeReason }) => brakeReason),
      }),
      numbers: t.field({
        type: numbers,
        nullable: true,
        resolve: onlyOn(({ brakeNumbers }) => brakeNumbers),
      }),
    }),
  });
}

function addChanges(
  builder: Builder,
  domain: ReturnType<typeof addDomain>,
  spamPolicy: ReturnType<typeof addSpamPolicy>,
  deleted: DeletePayload,
): void {
  const payload = builder.objectRef<{ domain: DomainView }>('DomainPayload').implement({
    fields: (t) => ({ domain: t.expose('domain', { type: domain }) }),
  });
  const named = builder.inputType('CreateDomainInput', {
    fields: (t) => ({ name: t.string({ required: true }) }),
  });
  const byId = (name: string) =>
    builder.inputType(name, { fields: (t) => ({ id: t.id({ required: true }) }) });
  const settings = builder.inputType('UpdateDomainInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      brakeEnabled: t.boolean(),
      senderRulesEnabled: t.boolean(),
      pool: t.string({ description: 'The name of a pool that you may use; null for the one of the service' }),
      inboundEnabled: t.boolean(),
      spamPolicy: t.field({ type: spamPolicy }),
      cfblEnabled: t.boolean(),
      transactionalReserve: t.int({ description: `0 to ${MAX_TRANSACTIONAL_RESERVE} percent` }),
    }),
  });

  builder.mutationField('createDomain', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: named, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { name } = checkInput(newDomain, input);
        return { domain: await createDomain(context.deps, ...asCaller(context), name) };
      },
    }),
  );
  builder.mutationField('verifyDomain', (t) =>
    t.field({
      type: payload,
      description: 'Checks the DNS records now',
      args: { input: t.arg({ type: byId('VerifyDomainInput'), required: true }) },
      resolve: async (_root, { input }, context) => {
        return { domain: await verifyDomain(context.deps, ...asCaller(context), idOf(input)) };
      },
    }),
  );
  builder.mutationField('updateDomain', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: settings, required: true }) },
      resolve: async (_root, { input: { id, ...fields } }, context) => {
        const change = checkInput(domainChange, fields, ['pool']);
        return { domain: await patchDomain(context.deps, ...asCaller(context), idOf({ id }), change) };
      },
    }),
  );
  builder.mutationField('releaseDomainBrake', (t) =>
    t.field({
      type: payload,
      description: 'Releases the same-day brake; its test begins again with what is sent from now on',
      args: { input: t.arg({ type: byId('ReleaseDomainBrakeInput'), required: true }) },
      resolve: async (_root, { input }, context) => {
        const [by, tenantId] = asCaller(context);
        await releaseBrake(context.deps, by, tenantId, idOf(input));
        return { domain: await getDomain(context.deps, tenantId, idOf(input)) };
      },
    }),
  );
  builder.mutationField('deleteDomain', (t) =>
    t.field({
      type: deleted,
      description: 'Sending from the domain and receiving for it stop',
      args: { input: t.arg({ type: byId('DeleteDomainInput'), required: true }) },
      resolve: async (_root, { input }, context) => {
        await deleteDomain(context.deps, ...asCaller(context), idOf(input));
        return { id: input.id };
      },
    }),
  );
  builder.mutationField('rotateDkim', (t) =>
    t.field({
      type: payload,
      description: 'Creates a key with a new selector. It signs as soon as its DNS record is found',
      args: { input: t.arg({ type: byId('RotateDkimInput'), required: true }) },
      resolve: async (_root, { input }, context) => {
        return { domain: await startDkimRotation(context.deps, ...asCaller(context), idOf(input)) };
      },
    }),
  );
  builder.mutationField('cancelDkimRotation', (t) =>
    t.field({
      type: payload,
      description: 'Deletes the new key that waits for its DNS record; does nothing without one',
      args: { input: t.arg({ type: byId('CancelDkimRotationInput'), required: true }) },
      resolve: async (_root, { input }, context) => {
        return { domain: await cancelDkimRotation(context.deps, ...asCaller(context), idOf(input)) };
      },
    }),
  );
}

function idOf({ id }: { id: string }): string {
  return requireId('dom', id, 'domain');
}

async function readDomain(context: GraphqlContext, id: string): Promise<DomainView> {
  return getDomain(context.deps, signedIn(context).tenantId, requireId('dom', id, 'domain'));
}

/** What other type files refer to. */
export type DomainTypes = ReturnType<typeof addDomainTypes>;
