// Whether the server can be reached, as far as this page knows.

import { useEffect, useSyncExternalStore } from 'react';

const ASK_MS = 5_000; // before it is asked again, and most that one answer may take

/** Asks the server for an answer, whatever it says. */
export async function isReachable(): Promise<boolean> {
  const options = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(ASK_MS) } as const;
  return fetch('/favicon.svg', options).then(
    () => true,
    () => false,
  );
}

/** Whether the browser says that it has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(onNetwork, () => navigator.onLine);
}

/** Calls back once, when the server answers again. */
export function useReachableAgain(waiting: boolean, then: () => void): void {
  useEffect(() => {
    if (!waiting) return undefined;
    const ask = () => void isReachable().then((yes) => yes && then());
    const timer = setInterval(ask, ASK_MS);
    addEventListener('online', ask);
    return () => {
      clearInterval(timer);
      removeEventListener('online', ask);
    };
  }, [waiting, then]);
}

function onNetwork(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
