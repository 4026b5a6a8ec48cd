// What other people see on pages for super-admins.

import { Lock } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** Says that the page needs the super-admin role. */
export function SuperAdminsOnly({ title }: { title: string }): ReactNode {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState icon={Lock} title="Only administrators of this service can see this page">
          You need the super-admin role.
        </EmptyState>
      </Card>
    </>
  );
}
