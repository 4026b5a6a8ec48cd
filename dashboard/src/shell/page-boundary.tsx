// Holds one page: a skeleton while its code is fetched, and a way on when it fails.

import { Component, Suspense, type ReactNode } from 'react';

import { Button } from '../ui/button.tsx';
import { PageSkeleton } from '../ui/skeleton.tsx';

/** Shows a page, or that it failed. The rest of the dashboard goes on. */
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

// Code that cannot be fetched is mostly code of a version before: a new one was deployed while this tab was open.
function Failed({ error }: { error: Error }): ReactNode {
  const outdated = /dynamically imported module|importing a module script/i.test(error.message);
  return (
    <div role="alert" className="mx-auto max-w-md py-20 text-center">
      <h1 className="text-lg font-semibold">{outdated ? 'This page was updated' : 'This page failed'}</h1>
      <p className="text-muted mt-2 mb-6">
        {outdated
          ? 'A new version of the dashboard is there. Reload to get it.'
          : 'Nothing was lost on the server. Reload the page; if it fails again, tell whoever runs this service.'}
      </p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}
