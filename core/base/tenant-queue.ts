// A queue in which tenants take turns: however many things one has in it, the others wait for one of them.

/** The queue. */
export interface TenantQueue<T> {
  readonly size: number;
  /** How many items of a tenant are in it. */
  sizeOf(tenantId: string): number;
  push(item: T): void;
  /** The next item of the tenant whose turn it is. */
  shift(): T | undefined;
  /** Takes out everything of a tenant that fits. */
  take(tenantId: string, fits: (item: T) => boolean): T[];
}

/** An empty queue. `tenantOf` must always say the same of an item. */
export function createTenantQueue<T>(tenantOf: (item: T) => string): TenantQueue<T> {
  const queues = new Map<string, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (tenantId) => queues.get(tenantId)?.length ?? 0,
    push(item) {
      const tenantId = tenantOf(item);
      const queue = queues.get(tenantId);
      if (queue) queue.push(item);
      else queues.set(tenantId, [item]);
      size++;
    },
    shift() {
      const next = queues.entries().next().value;
      if (!next) return undefined;
      const [tenantId, queue] = next;
      const item = queue.shift();
      queues.delete(tenantId); // to the end of the line, if there is more
      if (queue.length > 0) queues.set(tenantId, queue);
      size--;
      return item;
    },
    take(tenantId, fits) {
      const queue = queues.get(tenantId) ?? [];
      const taken = queue.filter(fits);
      const left = queue.filter((item) => !taken.includes(item));
      if (left.length > 0) queues.set(tenantId, left);
      else queues.delete(tenantId);
      size -= taken.length;
      return taken;
    },
  };
}
