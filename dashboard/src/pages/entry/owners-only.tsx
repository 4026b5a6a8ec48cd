// What members see on pages for owners.

import { Lock } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** `children` ends the sentence "Only owners can …". */
export function OwnersOnly({ title, children }: { title: string; children: string }): ReactNode {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState icon={Lock} title={`Only owners can ${children}`}>
          Ask an owner of your account.
        </EmptyState>
      </Card>
    </>
  );
}
