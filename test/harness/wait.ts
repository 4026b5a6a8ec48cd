// Tests wait on conditions, never for a time.

import { sleep } from '../../core/base/clock.ts';

/** Waits until the condition holds. Throws after `limitMs`, saying what was waited for. Errors of it end the wait. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  options: { limitMs?: number; what?: string | (() => string) } = {},
): Promise<void> {
  const limit = performance.now() + (options.limitMs ?? 15_000);
  while (!(await condition())) {
    if (performance.now() > limit) {
      const what =
        typeof options.what === 'function' ? options.what() : (options.what ?? condition.toString());
      throw new Error(`waited in vain for ${what}`);
    }
    await sleep(20);
  }
}
