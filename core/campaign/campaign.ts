// What a campaign is.
//
// Words: a campaign is a *draft*, then *scheduled* or *sending*, *paused* at will or by a refusal, *sent* when no
// message of it waits for its first try, or *cancelled*. Its *audience* are the contacts that it goes to; a
// *recipient* is a contact of the audience whose turn has come. *Expanding* makes recipients out of the audience.

import type { campaigns } from '../db/schema/campaign.ts';

/** Where a campaign stands. */
export type CampaignState = 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled';

/** Whom a campaign goes to: the subscribed contacts of a list, with a tag, or all. Ids are UUIDs. */
export type Audience = { listId: string } | { tag: string } | { all: true };

/** Why a campaign is paused. `requested`: by its tenant. */
export type PauseReason =
  | 'requested'
  | 'quota_exceeded'
  | 'domain_paused'
  | 'domain_not_verified'
  | 'template_not_found'
  | 'list_not_found';

/** What a scheduler has to do for a campaign now: `release` lets held messages go, and expanding follows. */
export type CampaignTask = 'expand' | 'settle' | 'hold' | 'release' | 'cancel';

/** What a campaign says and to whom. */
export type CampaignContent = Pick<
  typeof campaigns.$inferSelect,
  'name' | 'replyTo' | 'subject' | 'templateId' | 'html' | 'text' | 'trackOpens' | 'trackClicks'
> & {
  /** `address` or `Name <address>`. */
  from: string;
  audience: Audience;
};

/** Counts of a campaign: every recipient is in exactly one of the first nine after `recipients`. */
export interface CampaignStats {
  recipients: number;
  queued: number;
  deferred: number;
  dropped: number;
  delivered: number;
  bounced: number;
  expired: number;
  cancelled: number;
  failed: number;
  complained: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
}

/** A campaign as its tenant sees it. */
export interface Campaign extends CampaignContent {
  id: string;
  /** Goes up with every change of its content: who saves or launches says which one they saw. */
  version: number;
  state: CampaignState;
  pauseReason: PauseReason | null;
  /** The refusal that paused it, in words. */
  pauseMessage: string | null;
  scheduledAt: Date | null;
  launchedAt: Date | null;
  completedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A recipient that no sender would take, and why. */
export interface FailedRecipient {
  contactId: string;
  email: string | null;
  error: string;
}

/** A campaign in the hands of one scheduler: it writes only while `claimVersion` is still the row's. */
export interface CampaignClaim extends CampaignContent {
  id: string;
  tenantId: string;
  task: CampaignTask;
  launchedAt: Date;
  /** The template that its own words are kept as. */
  contentTemplateId: string | null;
  /** Recipients up to here (contact ids) have rows; up to the second were answered by a sender. */
  markedTo: string | null;
  confirmedTo: string | null;
  claimVersion: number;
}
