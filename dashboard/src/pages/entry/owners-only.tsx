// What a member sees where only owners may act.

import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** The page's title, and who may do what: `children` ends the sentence "Only owners may …". */
export function OwnersOnly({ title, children }: { title: string; children: string }): ReactNode {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState icon={Lock} title={`Only owners may ${children}`}>
          Ask an owner of your account.
        </EmptyState>
      </Card>
    </>
  );
}
