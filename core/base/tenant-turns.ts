// Costly work that is done one piece at a time in this process: tenants take turns, and a bounded number waits.

import { AppError } from './errors.ts';
import { createTenantQueue } from './tenant-queue.ts';

/** How many callers may wait, and the error for the others. */
export interface TurnLimits {
  maxWaiting: number;
  maxWaitingOfTenant: number;
  retryAfterSeconds: number;
  /** The results in the plural, for the message. */
  what: string;
}

/** The turns. */
export interface TenantTurns {
  /**
   * Does the work when it is the tenant's turn. Throws `rate_limited` when the tenant, and `unavailable` when all tenants
   * together wait with too much.
   */
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  tenantId: string;
  begin: () => void;
}

/** Makes turns for one kind of work. */
export function createTenantTurns(limits: TurnLimits): TenantTurns {
  const { maxWaiting, maxWaitingOfTenant, retryAfterSeconds, what } = limits;
  const queue = createTenantQueue<Waiting>(({ tenantId }) => tenantId);
  let busy = false;
  const turnOf = async (tenantId: string): Promise<void> => {
    if (!busy) return void (busy = true);
    if (queue.sizeOf(tenantId) >= maxWaitingOfTenant) {
      throw new AppError('rate_limited', `Too many new ${what} at once. Try again.`, { retryAfterSeconds });
    }
    if (queue.size >= maxWaiting) {
      throw new AppError('unavailable', `Too many new ${what} are being made. Try again.`, {
        retryAfterSeconds,
      });
    }
    await new Promise<void>((begin) => queue.push({ tenantId, begin }));
  };
  return {
    async run(tenantId, work) {
      await turnOf(tenantId);
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next.begin();
        else busy = false;
      }
    },
  };
}
