// The overview: what the account's mail came to lately, and what waits.

import { messageMaxAgeMs } from '../../../core/base/config.ts';
import { invalidField } from '../../../core/base/errors.ts';
import {
  readOverviewDays,
  readOverviewHours,
  readWaiting,
  OVERVIEW_HOURS,
  type OverviewDay,
  type OverviewHour,
  type WaitingCount,
} from '../../../core/reputation/overview-store.ts';
import type { Builder } from '../builder.ts';
import { signedIn, type GraphqlContext } from '../context.ts';

const MAX_DAYS = 90;
const STATEMENT_COST = 50; // an aggregate over many rows

interface Scope {
  days: number;
  domain: string | null;
}
interface Totals extends Omit<OverviewDay, 'date' | 'deferred'> {}

/** Adds `overview` and its types. */
export function addOverviewTypes(builder: Builder): void {
  const day = builder.objectRef<OverviewDay>('OverviewDay').implement({
    description: 'One UTC day; opens and clicks of people only',
    fields: (t) => ({
      date: t.exposeString('date'),
      sent: t.exposeInt('sent', { description: 'Messages with their first attempt on this day' }),
      delivered: t.exposeInt('delivered'),
      bounced: t.exposeInt('bounced'),
      complained: t.exposeInt('complained'),
      deferred: t.exposeInt('deferred', {
        description: 'Deferred on this day because the cap was reached, including those deferred before',
      }),
      opened: t.exposeInt('opened'),
      clicked: t.exposeInt('clicked'),
      unsubscribed: t.exposeInt('unsubscribed'),
    }),
  });
  const hour = builder.objectRef<OverviewHour>('OverviewHour').implement({
    description: 'One UTC hour; opens and clicks of people only',
    fields: (t) => ({
      hour: t.expose('hour', { type: 'DateTime' }),
      delivered: t.exposeInt('delivered'),
      bounced: t.exposeInt('bounced'),
      complained: t.exposeInt('complained'),
      opened: t.exposeInt('opened'),
      clicked: t.exposeInt('clicked'),
    }),
  });
  const waiting = builder.objectRef<WaitingCount>('WaitingCount').implement({
    description: 'Waiting messages by reason',
    fields: (t) => ({
      reason: t.exposeString('reason'),
      count: t.exposeInt('count'),
      until: t.expose('until', {
        type: 'DateTime',
        nullable: true,
        description: 'The next attempt of the first of them',
      }),
    }),
  });
  const totals = addTotals(builder);
  const overview = builder.objectRef<Scope>('Overview').implement({
    description: 'Statistics of the tenant’s mail, or of one domain',
    fields: (t) => ({
      days: t.field({
        type: [day],
        description: 'Oldest first, today last',
        complexity: STATEMENT_COST,
        resolve: (scope, _args, context) => daysOf(context, scope),
      }),
      hours: t.field({
        type: [hour],
        description: `The last ${OVERVIEW_HOURS} UTC hours, oldest first`,
        complexity: STATEMENT_COST,
        resolve: ({ domain }, _args, context) =>
          readOverviewHours(context.deps.db.pool, signedIn(context).tenantId, domain),
      }),
      waiting: t.field({
        type: [waiting],
        complexity: STATEMENT_COST,
        resolve: ({ domain }, _args, context) =>
          readWaiting(
            context.deps.db.pool,
            signedIn(context).tenantId,
            domain,
            messageMaxAgeMs(context.deps.config),
          ),
      }),
      totals: t.field({
        type: totals,
        complexity: STATEMENT_COST,
        resolve: async (scope, _args, context) => sum(await daysOf(context, scope)),
      }),
    }),
  });
  builder.queryField('overview', (t) =>
    t.field({
      type: overview,
      args: {
        days: t.arg.int({ defaultValue: 30, description: `1 to ${MAX_DAYS}` }),
        domain: t.arg.string({ description: 'name of one sending domain' }),
      },
      resolve: (_root, args) => {
        const days = args.days ?? 30;
        if (days < 1 || days > MAX_DAYS) throw invalidField('days', `must be 1 to ${MAX_DAYS}`);
        return { days, domain: args.domain ?? null };
      },
    }),
  );
}

function addTotals(builder: Builder) {
  const rate = (part: keyof Totals, whole: keyof Totals) => (totals: Totals) =>
    totals[whole] === 0 ? null : totals[part] / totals[whole];
  return builder.objectRef<Totals>('OverviewTotals').implement({
    description: 'Sums over the days; rates are fractions 0 to 1, null without mail',
    fields: (t) => ({
      sent: t.exposeInt('sent'),
      delivered: t.exposeInt('delivered'),
      bounced: t.exposeInt('bounced'),
      complained: t.exposeInt('complained'),
      opened: t.exposeInt('opened'),
      clicked: t.exposeInt('clicked'),
      unsubscribed: t.exposeInt('unsubscribed'),
      deliveryRate: t.float({ nullable: true, resolve: rate('delivered', 'sent') }),
      bounceRate: t.float({ nullable: true, resolve: rate('bounced', 'sent') }),
      complaintRate: t.float({ nullable: true, resolve: rate('complained', 'delivered') }),
      openRate: t.float({ nullable: true, resolve: rate('opened', 'delivered') }),
      clickRate: t.float({ nullable: true, resolve: rate('clicked', 'delivered') }),
    }),
  });
}

function daysOf(context: GraphqlContext, { days, domain }: Scope): Promise<OverviewDay[]> {
  return readOverviewDays(context.deps.db.pool, signedIn(context).tenantId, { days, domain });
}

function sum(days: OverviewDay[]): Totals {
  const totals: Totals = {
    sent: 0,
    delivered: 0,
    bounced: 0,
    complained: 0,
    opened: 0,
    clicked: 0,
    unsubscribed: 0,
  };
  for (const day of days)
    for (const name of Object.keys(totals) as (keyof Totals)[]) totals[name] += day[name];
  return totals;
}
