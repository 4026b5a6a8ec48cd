// The routes about campaigns, in the order of the documentation.

import type { Route } from '../route.ts';
import {
  cancelCampaign,
  launchCampaign,
  listFailedRecipients,
  pauseCampaign,
  preflightCampaign,
  resumeCampaign,
  retryFailedRecipients,
  sendCampaignTest,
  undoLaunch,
} from './campaign-actions.ts';
import { downloadCampaignRecipients, getCampaignReport } from './campaign-report.ts';
import {
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  getCampaign,
  listCampaigns,
  patchCampaign,
} from './campaigns.ts';

/** Campaigns and what is done with them. */
export const CAMPAIGN_ROUTES: readonly Route[] = [
  createCampaign,
  listCampaigns,
  getCampaign,
  patchCampaign,
  deleteCampaign,
  duplicateCampaign,
  preflightCampaign,
  sendCampaignTest,
  launchCampaign,
  undoLaunch,
  pauseCampaign,
  resumeCampaign,
  cancelCampaign,
  listFailedRecipients,
  retryFailedRecipients,
  getCampaignReport,
  downloadCampaignRecipients,
];
