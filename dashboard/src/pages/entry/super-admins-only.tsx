// What everybody else sees where only those who run the service may act.

import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** The page's title, and who may look. */
export function SuperAdminsOnly({ title }: { title: string }): ReactNode {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState icon={Lock} title="Only those who run this service may see this">
          It needs the role super-admin.
        </EmptyState>
      </Card>
    </>
  );
}
