// What a test of an endpoint found, as routes show it.

import { z } from 'zod';

import type { TestSendResult } from '../../../core/webhook/test-send.ts';

/** The answer of a test. */
export const testSendView = z.object({
  passed: z.boolean(),
  status_code: z.int().nullable(),
  duration_ms: z.int(),
  error: z.string().nullable(),
});

/** Shows what a test found. */
export function toTestSendView(result: TestSendResult): z.input<typeof testSendView> {
  const { passed, statusCode, durationMs, error } = result;
  return { passed, status_code: statusCode, duration_ms: durationMs, error };
}
