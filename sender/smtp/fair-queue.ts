// Messages that wait for a destination: tenants take turns, and the domains of a tenant do. So whoever has one message
// there waits for one of everybody else, whatever the others have.

/** A queue in which tenants take turns; all of it takes constant time. */
export interface FairQueue<T> {
  push(item: T): void;
  /** The next in turn. */
  shift(): T | undefined;
  size(): number;
}

/** Starts empty. `ownerOf` says whose an item is, as UUIDs. */
export function createFairQueue<T>(
  ownerOf: (item: T) => { tenantId: string; domainId: string },
): FairQueue<T> {
  const tenants = new Map<string, Map<string, T[]>>(); // their domains, in order of their turns
  let size = 0;
  return {
    push: (item) => {
      const { tenantId, domainId } = ownerOf(item);
      const domains = tenants.get(tenantId) ?? new Map<string, T[]>();
      const waiting = domains.get(domainId) ?? [];
      waiting.push(item);
      domains.set(domainId, waiting);
      tenants.set(tenantId, domains);
      size += 1;
    },
    shift: () => {
      const turn = takeTurn(tenants);
      if (!turn) return undefined;
      const [tenantId, domains] = turn;
      const [domainId, waiting] = takeTurn(domains)!;
      const item = waiting.shift();
      if (waiting.length === 0) domains.delete(domainId);
      if (domains.size === 0) tenants.delete(tenantId);
      size -= 1;
      return item;
    },
    size: () => size,
  };
}

// The first of those who take turns, who goes to the end; a map keeps the order in which keys were added.
function takeTurn<V>(queue: Map<string, V>): [string, V] | undefined {
  const [first] = queue;
  if (!first) return undefined;
  queue.delete(first[0]);
  queue.set(...first);
  return first;
}
