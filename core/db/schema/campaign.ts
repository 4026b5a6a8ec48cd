// Campaigns and who gets them.
// The trigger `campaigns_announce` (0018_announcements.sql) tells webhooks of a campaign that was sent.

import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

import { count, time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/**
 * One message to many contacts. `task` is what a scheduler has to do for it now, `due_at` when; `claim_version` fences
 * schedulers. Recipients up to `marked_to` have rows; those up to `confirmed_to` were answered by a sender. `version` counts
 * the changes of what it says.
 */
export const campaigns = pgTable(
  'campaigns',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    name: text('name').notNull(),
    headerFrom: text('header_from').notNull(),
    replyTo: text('reply_to'),
    subject: text('subject'),
    templateId: uuid('template_id'),
    html: text('html'),
    text: text('text'),
    audience: jsonb('audience').notNull(),
    trackOpens: boolean('track_opens'),
    trackClicks: boolean('track_clicks'),
    state: text('state', { enum: ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] })
      .notNull()
      .default('draft'),
    pauseReason: text('pause_reason'),
    pauseMessage: text('pause_message'),
    scheduledAt: time('scheduled_at'),
    launchedAt: time('launched_at'),
    completedAt: time('completed_at'),
    contentTemplateId: uuid('content_template_id'),
    markedTo: uuid('marked_to'),
    confirmedTo: uuid('confirmed_to'),
    finalStats: jsonb('final_stats'),
    task: text('task', { enum: ['expand', 'settle', 'hold', 'release', 'cancel'] }),
    dueAt: time('due_at'),
    claimedUntil: time('claimed_until'),
    claimVersion: count('claim_version'),
    version: integer('version').notNull().default(1),
    createdAt: timeOfInsert('created_at'),
    updatedAt: timeOfInsert('updated_at'),
  },
  (t) => [
    index('campaigns_tenant').on(t.tenantId, t.id),
    index('campaigns_task')
      .on(t.dueAt)
      .where(sql`task is not null`),
    index('campaigns_scheduled')
      .on(t.scheduledAt)
      .where(sql`state = 'scheduled'`),
  ],
);

/** A contact that a campaign goes to: what makes its message happen once. `error` says why a sender refused it. */
export const campaignRecipients = pgTable(
  'campaign_recipients',
  {
    campaignId: uuid('campaign_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    messageId: uuid('message_id').notNull(),
    error: text('error'),
    retry: boolean('retry').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.campaignId, t.contactId] }),
    index('campaign_recipients_failed')
      .on(t.campaignId, t.contactId)
      .where(sql`error is not null`),
  ],
);
