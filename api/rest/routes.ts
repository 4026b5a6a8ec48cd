// The route table of v1. The router and the OpenAPI document both read it.

import type { Route } from './route.ts';
import { listSources } from './v1/admin-sources.ts';
import { TENANT_ROUTES } from './v1/admin-tenants.ts';
import { WARMUP_ROUTES } from './v1/admin-warmup-routes.ts';
import { cancelMessage } from './v1/cancel-message.ts';
import { CAMPAIGN_ROUTES } from './v1/campaign-routes.ts';
import { CONTACT_ROUTES } from './v1/contact-routes.ts';
import { cancelDomainDkim, rotateDomainDkim } from './v1/domain-dkim.ts';
import { listDomainReports } from './v1/domain-reports.ts';
import {
  changeDomain,
  createDomain,
  deleteDomain,
  getDomain,
  listDomains,
  preflightDomain,
  releaseDomainBrake,
  verifyDomain,
} from './v1/domains.ts';
import { createExport, getExport, getExportFile } from './v1/exports.ts';
import { getMessage } from './v1/get-message.ts';
import { listEvents } from './v1/list-events.ts';
import { listMessages } from './v1/list-messages.ts';
import { listProviders } from './v1/list-providers.ts';
import { listReputation } from './v1/list-reputation.ts';
import { changeMessageSettings, getMessageSettings } from './v1/message-settings.ts';
import { explainMessage } from './v1/explain-message.ts';
import { getAnalytics } from './v1/get-analytics.ts';
import { getMessageAttachment, getMessageContent, getMessageSource } from './v1/message-content.ts';
import { previewTemplate } from './v1/preview-template.ts';
import { INBOUND_ROUTES } from './v1/inbound-routes.ts';
import { streamEvents } from './v1/stream-events.ts';
import { ALERT_ROUTES } from './v1/alerts.ts';
import { WEBHOOK_ROUTES } from './v1/webhook-routes.ts';
import { rescheduleMessage } from './v1/reschedule-message.ts';
import { resendMessage, retryMessage } from './v1/send-again.ts';
import { sendBatch } from './v1/send-batch.ts';
import { sendMessage } from './v1/send-message.ts';
import {
  getSuppressionFailedRows,
  getSuppressionImport,
  importSuppressions,
} from './v1/import-suppressions.ts';
import { addSuppression, listSuppressions, removeSuppression } from './v1/suppressions.ts';
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
} from './v1/templates.ts';
import { getTemplateVersion, listTemplateVersions, restoreTemplateVersion } from './v1/template-versions.ts';
import { whoami } from './v1/whoami.ts';

/** Where v1 lives. */
export const BASE_PATH = '/api/v1';

/** Every route of v1, in the order of the documentation. */
export const ROUTES: readonly Route[] = [
  whoami,
  sendMessage,
  sendBatch,
  listMessages,
  getMessage,
  getMessageContent,
  getMessageSource,
  getMessageAttachment,
  explainMessage,
  resendMessage,
  retryMessage,
  rescheduleMessage,
  cancelMessage,
  getMessageSettings,
  changeMessageSettings,
  createDomain,
  listDomains,
  getDomain,
  preflightDomain,
  listDomainReports,
  changeDomain,
  deleteDomain,
  releaseDomainBrake,
  verifyDomain,
  rotateDomainDkim,
  cancelDomainDkim,
  createTemplate,
  listTemplates,
  getTemplate,
  changeTemplate,
  deleteTemplate,
  previewTemplate,
  listTemplateVersions,
  getTemplateVersion,
  restoreTemplateVersion,
  importSuppressions,
  getSuppressionImport,
  getSuppressionFailedRows,
  addSuppression,
  listSuppressions,
  removeSuppression,
  listEvents,
  streamEvents,
  listReputation,
  listProviders,
  getAnalytics,
  listSources,
  ...CONTACT_ROUTES,
  createExport,
  getExport,
  getExportFile,
  ...CAMPAIGN_ROUTES,
  ...WEBHOOK_ROUTES,
  ...ALERT_ROUTES,
  ...INBOUND_ROUTES,
  ...TENANT_ROUTES,
  ...WARMUP_ROUTES,
];
