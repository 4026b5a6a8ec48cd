// The routes with which operators plan, watch and correct warm-ups.

import type { Route } from '../route.ts';
import { getWarmupReconciliation } from './admin-warmup-reconciliation.ts';
import { generateWarmupSchedule, getWarmupSchedule } from './admin-warmup-schedule.ts';
import {
  listWarmupHistory,
  overrideWarmupTier,
  releaseTenantBrake,
  resumeWarmup,
} from './admin-warmup-tier.ts';

/** Rows of the route table, in the order of the documentation. */
export const WARMUP_ROUTES: readonly Route[] = [
  overrideWarmupTier,
  resumeWarmup,
  releaseTenantBrake,
  listWarmupHistory,
  generateWarmupSchedule,
  getWarmupSchedule,
  getWarmupReconciliation,
];
