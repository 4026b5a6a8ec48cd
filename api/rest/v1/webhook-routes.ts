// The routes about event webhooks, in the order of the documentation.

import type { Route } from '../route.ts';
import { getWebhookDeliveries, replayWebhook, replayWebhookDelivery } from './webhook-deliveries.ts';
import {
  getWebhook,
  getWebhooks,
  patchWebhook,
  postWebhook,
  removeWebhook,
  rotateWebhook,
  testWebhook,
} from './webhooks.ts';

/** All of them. */
export const WEBHOOK_ROUTES: readonly Route[] = [
  postWebhook,
  getWebhooks,
  getWebhook,
  patchWebhook,
  removeWebhook,
  rotateWebhook,
  testWebhook,
  getWebhookDeliveries,
  replayWebhookDelivery,
  replayWebhook,
];
