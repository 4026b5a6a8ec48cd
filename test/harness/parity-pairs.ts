// Every mutation of GraphQL that REST has too, by noun; and what has no twin.

import { ALERT_PAIRS } from './parity-alerts.ts';
import { AUDIENCE_PAIRS } from './parity-audience.ts';
import { CAMPAIGN_PAIRS } from './parity-campaigns.ts';
import { DOMAIN_PAIRS } from './parity-domains.ts';
import { INBOUND_PAIRS } from './parity-inbound.ts';
import type { Pair } from './parity-pair.ts';
import { SENDING_PAIRS } from './parity-sending.ts';
import { TENANT_PAIRS } from './parity-tenants.ts';
import { WARMUP_PAIRS } from './parity-warmup.ts';
import { WEBHOOK_PAIRS } from './parity-webhooks.ts';

/** Every mutation that REST has too. */
export const PAIRS: readonly Pair[] = [
  ...SENDING_PAIRS,
  ...DOMAIN_PAIRS,
  ...AUDIENCE_PAIRS,
  ...CAMPAIGN_PAIRS,
  ...INBOUND_PAIRS,
  ...TENANT_PAIRS,
  ...WARMUP_PAIRS,
  ...WEBHOOK_PAIRS,
  ...ALERT_PAIRS,
];

/** Mutations that have no route, and why. */
export const ONLY_GRAPHQL: Record<string, string> = {
  acceptInvitation: 'people manage their accounts in the dashboard only',
  acceptInvitationForSso: 'people manage their accounts in the dashboard only',
  changePassword: 'people manage their accounts in the dashboard only',
  changeRole: 'people manage their accounts in the dashboard only',
  confirmIdentity: 'keys do not sign in',
  confirmSecondFactor: 'people manage their accounts in the dashboard only',
  createApiKey: 'a key must not make keys',
  createBulkChange: 'a program lists what it wants and changes it one by one',
  deleteSamlConnection: 'people manage their accounts in the dashboard only',
  deleteWarmupSchedule: 'REST replaces a plan, it does not delete it',
  discardTemplateDraft: 'keys do not write in the editor of the dashboard',
  hideFirstSteps: 'people manage their accounts in the dashboard only',
  invitePerson: 'people manage their accounts in the dashboard only',
  login: 'keys do not sign in',
  logout: 'keys do not sign in',
  previewTemplate: 'changes nothing',
  refresh: 'keys do not sign in',
  requestPasswordReset: 'people manage their accounts in the dashboard only',
  resetPassword: 'people manage their accounts in the dashboard only',
  removePerson: 'people manage their accounts in the dashboard only',
  replaceRecoveryCodes: 'people manage their accounts in the dashboard only',
  requireSecondFactor: 'people manage their accounts in the dashboard only',
  resetSecondFactor: 'people manage their accounts in the dashboard only',
  revokeApiKey: 'a key must not revoke keys',
  revokeInvitation: 'people manage their accounts in the dashboard only',
  revokeOtherSessions: 'keys do not sign in',
  revokeSession: 'keys do not sign in',
  saveSamlConnection: 'people manage their accounts in the dashboard only',
  saveTemplateDraft: 'keys do not write in the editor of the dashboard',
  startSecondFactor: 'people manage their accounts in the dashboard only',
  switchTenant: 'keys do not sign in',
  turnOffSecondFactor: 'people manage their accounts in the dashboard only',
  updateProfile: 'people manage their accounts in the dashboard only',
};

/** Routes with a method that changes something, without a mutation, and why. */
export const ONLY_REST: Record<string, string> = {
  'POST /campaigns/{id}/preflight': 'changes nothing; a field of Campaign',
  'POST /contacts/import': 'accepts 100 MiB as a stream',
  'POST /contacts/import/preview': 'changes nothing; accepts a file',
  'POST /suppressions/import': 'accepts 100 MiB as a stream',
  'POST /templates/{id}/preview': 'changes nothing',
  'POST /transactional/batch': 'for programs; each message is as that of sendMessage',
};
