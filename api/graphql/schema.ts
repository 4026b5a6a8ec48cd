// The whole schema. A new noun is a new file under types/ and a line here.

import type { GraphQLSchema } from 'graphql';

import { createBuilder } from './builder.ts';
import { addApiKeyTypes } from './types/api-key.ts';
import { addAuditTypes } from './types/audit.ts';
import { addCampaignChanges } from './types/campaign-changes.ts';
import { addCampaignTypes } from './types/campaign.ts';
import { addContactImportTypes } from './types/contact-import.ts';
import { addContactListTypes } from './types/contact-list.ts';
import { addContactTypes } from './types/contact.ts';
import { addDeletePayload } from './types/deleted.ts';
import { addDomainTypes } from './types/domain.ts';
import { addDomainWarmup } from './types/domain-warmup.ts';
import { addEventTypes } from './types/event.ts';
import { addInboundMessageTypes } from './types/inbound-message.ts';
import { addMessageSettingsTypes } from './types/message-settings.ts';
import { addInboundWebhookTypes } from './types/inbound-webhook.ts';
import { addInvitationTypes } from './types/invitation.ts';
import { addJobTypes } from './types/job.ts';
import { addLiveTypes } from './types/live.ts';
import { addMailboxTypes } from './types/mailbox.ts';
import { addMessageTypes } from './types/message.ts';
import { addOverviewTypes } from './types/overview.ts';
import { addOwnSessionTypes } from './types/own-sessions.ts';
import { addPeopleTypes } from './types/people.ts';
import { addReconciliation } from './types/reconciliation.ts';
import { addReputationTypes } from './types/reputation.ts';
import { addSendMessage } from './types/send-message.ts';
import { addSessionTypes } from './types/session.ts';
import { addSsoTypes } from './types/sso.ts';
import { addSuppressionTypes } from './types/suppression.ts';
import { addTemplateTypes } from './types/template.ts';
import { addTenantAdmin } from './types/tenant-admin.ts';
import { addTenantTypes } from './types/tenant.ts';
import { addWarmupPlan } from './types/warmup-plan.ts';
import { addWarmupTypes } from './types/warmup.ts';

/** Builds the schema. */
export function buildSchema(): GraphQLSchema {
  const builder = createBuilder();
  const tenantTypes = addTenantTypes(builder);
  const deleted = addDeletePayload(builder);
  const sessionTypes = addSessionTypes(builder, tenantTypes);
  addOwnSessionTypes(builder, tenantTypes, deleted);
  addPeopleTypes(builder, tenantTypes, deleted);
  addInvitationTypes(builder, { ...tenantTypes, ...sessionTypes }, deleted);
  addAuditTypes(builder);
  addSsoTypes(builder, deleted);
  addApiKeyTypes(builder);
  const domainTypes = addDomainTypes(builder, deleted);
  addDomainWarmup(builder, domainTypes);
  const templateTypes = addTemplateTypes(builder, deleted);
  const listTypes = addContactListTypes(builder, deleted);
  addContactTypes(builder, listTypes, deleted);
  addContactImportTypes(builder);
  const campaignTypes = addCampaignTypes(builder, { ...listTypes, ...templateTypes });
  addCampaignChanges(builder, campaignTypes, deleted);
  addSuppressionTypes(builder);
  const eventTypes = addEventTypes(builder);
  addOverviewTypes(builder);
  addReputationTypes(builder, domainTypes);
  addInboundWebhookTypes(builder);
  addMessageSettingsTypes(builder);
  addMailboxTypes(builder, deleted);
  addInboundMessageTypes(builder, deleted);
  addTenantAdmin(builder, tenantTypes, domainTypes);
  addWarmupPlan(builder, tenantTypes, deleted);
  addReconciliation(builder, tenantTypes);
  addJobTypes(builder);
  const messageTypes = addMessageTypes(builder);
  addLiveTypes(builder, { ...campaignTypes, ...domainTypes, ...eventTypes, ...messageTypes });
  addSendMessage(builder, messageTypes);
  addWarmupTypes(builder);
  return builder.toSchema();
}
