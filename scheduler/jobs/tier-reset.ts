// Not written yet.

import type { Job } from '../job.ts';

/** The job. */
export const tierReset: Job = async () => ({});
