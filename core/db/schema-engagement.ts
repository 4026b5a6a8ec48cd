// The table of 0005_engagement.sql and 0007_deferred_days.sql as drizzle sees it; what each column is for stands there.

import { boolean, date, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';

const count = (name: string) => integer(name).notNull().default(0);

/** What a domain's mail came to, per UTC day. */
export const domainDays = pgTable(
  'domain_days',
  {
    tenantId: uuid('tenant_id').notNull(),
    domainId: uuid('domain_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    simulated: boolean('simulated').notNull(),
    sent: count('sent'),
    delivered: count('delivered'),
    bounced: count('bounced'),
    hardBounced: count('hard_bounced'),
    complained: count('complained'),
    opened: count('opened'),
    clicked: count('clicked'),
    machineOpened: count('machine_opened'),
    machineClicked: count('machine_clicked'),
    unsubscribed: count('unsubscribed'),
    deferred: count('deferred'),
  },
  (t) => [
    primaryKey({ columns: [t.domainId, t.day, t.simulated] }),
    index('domain_days_tenant').on(t.tenantId, t.day),
  ],
);
