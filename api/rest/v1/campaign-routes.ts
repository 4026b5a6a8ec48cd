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
} from './campaign-actions.ts';
import { createCampaign, deleteCampaign, getCampaign, listCampaigns, patchCampaign } from './campaigns.ts';

/** Campaigns and what is done with them. */
export const CAMPAIGN_ROUTES: readonly Route[] = [
  createCampaign,
  listCampaigns,
  getCampaign,
  patchCampaign,
  deleteCampaign,
  preflightCampaign,
  launchCampaign,
  pauseCampaign,
  resumeCampaign,
  cancelCampaign,
  listFailedRecipients,
  retryFailedRecipients,
];
