// For paths that nothing is at.

import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';

import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function NotFoundPage(): ReactNode {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        icon={Compass}
        title="There is nothing here"
        action={<ButtonLink href="/">To the overview</ButtonLink>}
      >
        The address is mistyped, or what was here is deleted.
      </EmptyState>
    </>
  );
}
