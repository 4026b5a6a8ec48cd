// Who is signed in, for all pages: read once, before the first page is shown.

import { createContext, useContext, useLayoutEffect, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { ViewerDocument, type ViewerQuery } from '../gen/graphql/viewer.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { chooseTimeZone } from '../ui/zone.ts';
import { endSession } from './session.ts';
import { Button } from '../ui/button.tsx';

/** The signed-in person, the tenant and what is left of the month. */
export type Viewer = ViewerQuery['viewer'] & {
  /** Not a viewer: may change what is about mail. */
  canWrite: boolean;
  /** Owner or super-admin: may manage keys, people and single sign-on. */
  isOwner: boolean;
  isSuperAdmin: boolean;
};

const ViewerContext = createContext<Viewer | null>(null);

/** The signed-in person. Only below ViewerProvider. */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (viewer === null) throw new Error('useViewer outside of ViewerProvider');
  return viewer;
}

/** Reads who is signed in and gives it to what is inside. */
export function ViewerProvider({ children }: { children: ReactNode }): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: ViewerDocument, variables: {} });
  const zone = data?.viewer.timeZone;
  useLayoutEffect(() => chooseTimeZone(zone ?? null), [zone]);
  if (data) {
    const { role } = data.viewer.user;
    const isSuperAdmin = role === 'super_admin';
    return (
      <ViewerContext
        value={{
          ...data.viewer,
          canWrite: role !== 'viewer',
          isSuperAdmin,
          isOwner: isSuperAdmin || role === 'owner',
        }}
      >
        {children}
      </ViewerContext>
    );
  }
  if (!error) return null;
  return (
    <main className="mx-auto max-w-md px-6 py-24">
      <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      <div className="mt-4 text-center">
        <Button variant="quiet" onClick={() => void endSession().catch(() => null)}>
          Sign out
        </Button>
      </div>
    </main>
  );
}
