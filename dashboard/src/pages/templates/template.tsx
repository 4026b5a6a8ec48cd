// One template in the editor. `/templates/new` creates one.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { useParams } from 'wouter';

import { TemplateDocument } from '../../gen/pages/templates/template.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { TemplateEditor } from './template-editor.tsx';

const BACK = { href: '/templates', label: 'Templates' };

export function TemplatePage(): ReactNode {
  const id = useParams()['id'] ?? '';
  return id === 'new' ? <TemplateEditor key="new" template={null} /> : <StoredTemplate key={id} id={id} />;
}

function StoredTemplate({ id }: { id: string }): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: TemplateDocument, variables: { id } });
  if (data?.template) return <TemplateEditor template={data.template} />;
  return (
    <>
      <PageHeader title="Template" back={BACK} />
      {error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : data ? (
        <EmptyState title="Template not found">It may have been deleted.</EmptyState>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}
