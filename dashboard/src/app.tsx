// What is shown when: the way in while signed out, the shell with a page otherwise.

import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { Provider } from 'urql';
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter';

import { createClient } from './graphql/client.ts';
import { onSessionChange, refreshSession, sessionKey, sessionState } from './graphql/session.ts';
import { useViewer, ViewerProvider } from './graphql/viewer.tsx';
import { OPEN_ROUTES, ROUTES, SecondFactorMissingPage } from './routes.tsx';
import { ConfirmIdentity } from './shell/confirm-identity.tsx';
import { HelpPlace } from './shell/help-place.ts';
import { HELP } from './shell/help.ts';
import { PageBoundary } from './shell/page-boundary.tsx';
import { useFetchFirst } from './shell/prefetch.ts';
import { Shell } from './shell/shell.tsx';
import { SignInAgain } from './shell/sign-in-again.tsx';
import { Button } from './ui/button.tsx';
import { aroundNav } from './ui/leave-question.tsx';
import { ToastProvider } from './ui/toast.tsx';

/** The whole page. `refusal`: why the api refuses this page, for example since it was opened at another address. */
export function App({ refusal }: { refusal: string | null }): ReactNode {
  const key = useSyncExternalStore(onSessionChange, sessionKey);
  return (
    <ToastProvider>
      <Router aroundNav={aroundNav}>
        {sessionState() === 'unknown' ? <Unreachable refusal={refusal} /> : <Session key={key} />}
      </Router>
    </ToastProvider>
  );
}

// A new client for each session: nothing of one person stays for the next.
function Session(): ReactNode {
  const [client] = useState(createClient);
  return (
    <Provider value={client}>
      <Switch>
        {OPEN_ROUTES.map(({ path, page: Page }) => (
          <Route key={path} path={path}>
            <PageBoundary>
              <Page />
            </PageBoundary>
          </Route>
        ))}
        <Route>{sessionState() === 'signed-out' ? <ToSignIn /> : <SignedIn />}</Route>
      </Switch>
    </Provider>
  );
}

function SignedIn(): ReactNode {
  useFetchFirst();
  return (
    <ViewerProvider>
      <Pages />
      <ConfirmIdentity />
      <SignInAgain />
    </ViewerProvider>
  );
}

// Until a required second factor is set up, the api refuses everything else.
function Pages(): ReactNode {
  const { secondFactor } = useViewer();
  if (secondFactor.required && secondFactor.since === null) {
    return (
      <PageBoundary>
        <SecondFactorMissingPage />
      </PageBoundary>
    );
  }
  return (
    <Shell>
      <Switch>
        {ROUTES.map(({ path, page: Page }) => (
          <Route key={path} path={path}>
            <HelpPlace value={HELP[path] ?? null}>
              <PageBoundary>
                <Page />
              </PageBoundary>
            </HelpPlace>
          </Route>
        ))}
      </Switch>
    </Shell>
  );
}

function ToSignIn(): ReactNode {
  const [location] = useLocation();
  const search = useSearch();
  const back = search === '' ? location : `${location}?${search}`;
  return <Redirect to={back === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(back)}`} replace />;
}

function Unreachable({ refusal }: { refusal: string | null }): ReactNode {
  return (
    <main className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 className="text-lg font-semibold">
        {refusal === null ? 'The server cannot be reached' : 'The server does not take this page'}
      </h1>
      <p className="text-muted mt-2 mb-6">{refusal ?? 'It may be restarting. Your session is kept.'}</p>
      <Button onClick={() => void refreshSession().catch(() => null)}>Try again</Button>
    </main>
  );
}
