// Not written yet.

import type { Job } from '../job.ts';

/** The job. */
export const autoRamp: Job = async () => ({});
