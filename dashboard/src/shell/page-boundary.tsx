// Shows one page: a skeleton while its code is loaded, and what went wrong when it fails.

import { Component, Suspense, useEffect, useState, type ReactNode } from 'react';

import { Button } from '../ui/button.tsx';
import { PageSkeleton } from '../ui/skeleton.tsx';
import { isReachable, useReachableAgain } from './reachable.ts';

/** Keeps an error of one page from taking down the rest of the dashboard. */
export class PageBoundary extends Component<{ children: ReactNode }, { failed: Error | null }> {
  override state: { failed: Error | null } = { failed: null };

  static getDerivedStateFromError(failed: Error): { failed: Error } {
    return { failed };
  }

  override render(): ReactNode {
    if (this.state.failed) return <Failed error={this.state.failed} />;
    return <Suspense fallback={<PageSkeleton />}>{this.props.children}</Suspense>;
  }
}

// Code that cannot be loaded is of an older version, or the server cannot be reached: the server is asked which.
function Failed({ error }: { error: Error }): ReactNode {
  const unloaded = /dynamically imported module|importing a module script/i.test(error.message);
  const [why, setWhy] = useState<keyof typeof WORDS | null>(unloaded ? null : 'failed');
  useEffect(() => {
    if (unloaded) void isReachable().then((yes) => setWhy(yes ? 'outdated' : 'offline'));
  }, [unloaded]);
  useReachableAgain(why === 'offline', reload);
  if (why === null) return <PageSkeleton />;
  const { title, text, button } = WORDS[why];
  return (
    <div role="alert" className="mx-auto max-w-md py-20 text-center">
      <h1 className="text-lg font-semibold">{title}</h1>
      <p className="text-muted mt-2 mb-6">{text}</p>
      <Button onClick={reload}>{button}</Button>
    </div>
  );
}

const WORDS = {
  failed: {
    title: 'Something went wrong',
    text: 'Reload the page. If it fails again, tell your administrator. Saved data is not affected.',
    button: 'Reload',
  },
  outdated: {
    title: 'This page was updated',
    text: 'A new version of the dashboard is available. Reload the page to use it.',
    button: 'Reload',
  },
  offline: {
    title: 'You are offline',
    text: 'This page could not be loaded because the server cannot be reached. It loads as soon as the connection is back.',
    button: 'Try again',
  },
};

function reload(): void {
  location.reload();
}
