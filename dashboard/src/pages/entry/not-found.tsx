// Shown for unknown paths.

import { Compass } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function NotFoundPage(): ReactNode {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={Compass}
        title="There is no page at this address"
        action={<ButtonLink href="/">Go to overview</ButtonLink>}
      >
        Check the address. The item may have been deleted.
      </EmptyState>
    </>
  );
}
