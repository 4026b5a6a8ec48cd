// Says that there is no network, on every page.

import type { ReactNode } from 'react';

import { useOnline } from './reachable.ts';

export function OfflineNotice(): ReactNode {
  const online = useOnline();
  return (
    <div role="status">
      {online ? null : (
        <p className="bg-warn-soft text-warn px-4 py-2 text-center">
          You are offline. What you see may have changed since.
        </p>
      )}
    </div>
  );
}
