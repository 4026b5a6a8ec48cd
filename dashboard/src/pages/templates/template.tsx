// One template in the editor. `/templates/new` creates one.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { useParams } from 'wouter';

import {
  TemplateDocument,
  TemplateDraftDocument,
  type TemplateDetailFragment,
} from '../../gen/pages/templates/template.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { TemplateEditor } from './template-editor.tsx';

const BACK = { href: '/templates', label: 'Templates' };

export function TemplatePage(): ReactNode {
  const id = useParams()['id'] ?? '';
  return id === 'new' ? <WithDraft key="new" template={null} /> : <StoredTemplate key={id} id={id} />;
}

function StoredTemplate({ id }: { id: string }): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: TemplateDocument, variables: { id } });
  if (data?.template) return <WithDraft template={data.template} />;
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

// The editor opens with the draft that is stored, if there is one.
function WithDraft({ template }: { template: TemplateDetailFragment | null }): ReactNode {
  const { canWrite } = useViewer();
  const [{ data, error }, execute] = useQuery({
    query: TemplateDraftDocument,
    variables: { templateId: template?.id },
    pause: !canWrite,
    requestPolicy: 'network-only', // an older one would be a conflict with the first key press
  });
  if (!canWrite) return <TemplateEditor template={template} written={null} />;
  if (data) return <TemplateEditor template={template} written={data.templateDraft} />;
  return (
    <>
      <PageHeader title={template?.name ?? 'New template'} back={BACK} />
      {error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}
