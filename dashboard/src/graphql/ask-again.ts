// A query that is on its way when a mutation is answered may bring what was there before it. urql asks anew for what it has read
// already, and not for what is on its way, so that an old answer would stay on the page: such a query is asked once more.
// Nor does it ask anew for a query that failed after an earlier mutation: that one is asked after the next mutation.

import { makeOperation, mapExchange, type Client, type Exchange, type Operation } from 'urql';

/** Stands behind the cache, before what fetches. */
export function askAgain(client: () => Pick<Client, 'reexecuteOperation'>): Exchange {
  const onTheirWay = new Set<number>(); // keys of queries
  const overtaken = new Set<number>();
  const failed = new Map<number, Operation>(); // by key
  const ask = (operation: Operation) => {
    const again = { ...operation.context, requestPolicy: 'network-only' } as const;
    client().reexecuteOperation(makeOperation('query', operation, again));
  };
  return mapExchange({
    onOperation({ kind, key }) {
      if (kind === 'query') onTheirWay.add(key);
      if (kind !== 'teardown') return;
      onTheirWay.delete(key);
      overtaken.delete(key);
      failed.delete(key);
    },
    onResult(result) {
      const { operation } = result;
      if (operation.kind === 'mutation') {
        for (const key of onTheirWay) overtaken.add(key);
        for (const query of failed.values()) ask(query);
        failed.clear();
      }
      if (operation.kind !== 'query') return result;
      onTheirWay.delete(operation.key);
      if (result.error) failed.set(operation.key, operation);
      else failed.delete(operation.key);
      if (!overtaken.delete(operation.key)) return result;
      ask(operation);
      return { ...result, stale: true };
    },
  });
}
