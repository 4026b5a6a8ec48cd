// Shows one page: a skeleton while its code is loaded, an error with a reload button when it fails.

import { Component, Suspense, type ReactNode } from 'react';

import { Button } from '../ui/button.tsx';
import { PageSkeleton } from '../ui/skeleton.tsx';

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

// Code that cannot be loaded is mostly of an older version: a new one was deployed while this tab was open.
function Failed({ error }: { error: Error }): ReactNode {
  const outdated = /dynamically imported module|importing a module script/i.test(error.message);
  return (
    <div role="alert" className="mx-auto max-w-md py-20 text-center">
      <h1 className="text-lg font-semibold">{outdated ? 'This page was updated' : 'Something went wrong'}</h1>
      <p className="text-muted mt-2 mb-6">
        {outdated
          ? 'A new version of the dashboard is available. Reload the page to use it.'
          : 'Reload the page. If it fails again, tell your administrator. Saved data is not affected.'}
      </p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}
