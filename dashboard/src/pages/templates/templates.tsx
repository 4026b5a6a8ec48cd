// The list of templates.

import { FileText, Plus } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { TemplatesDocument, type TemplatesQuery } from '../../gen/pages/templates/templates.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NumberText } from '../../ui/number-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';

type Row = TemplatesQuery['templates']['edges'][number]['node'];

export function TemplatesPage(): ReactNode {
  const templates = useConnection({
    query: TemplatesDocument,
    pick: (data) => data.templates,
    typename: 'Template',
  });
  const { canWrite } = useViewer();
  const create = canWrite ? (
    <ButtonLink href="/templates/new" variant="primary" icon={Plus}>
      New template
    </ButtonLink>
  ) : undefined;
  return (
    <>
      <PageHeader
        title="Templates"
        description="Messages with variables, for campaigns and for the API."
        actions={create}
      />
      <Card flush>
        <DataTable
          label="Templates"
          columns={COLUMNS}
          connection={templates}
          rowKey={(template) => template.id}
          rowHref={(template) => `/templates/${template.id}`}
          empty={
            <EmptyState icon={FileText} title="No templates yet" action={create}>
              {canWrite
                ? 'Create a template with variables such as {{ first_name }}, then send it by its ID with their values.'
                : 'Ask an owner or member of your account to create one.'}
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', className: 'sm:max-w-64', cell: (template) => template.name },
  {
    id: 'subject',
    header: 'Subject',
    className: 'sm:max-w-80',
    cell: (template) => <span className="line-clamp-2 [overflow-wrap:anywhere]">{template.subject}</span>,
  },
  {
    id: 'variables',
    header: 'Variables',
    align: 'right',
    cell: (template) => <NumberText value={template.variables.length} />,
  },
  {
    id: 'version',
    header: 'Version',
    align: 'right',
    cell: (template) => <NumberText value={template.version} />,
  },
  {
    id: 'updated',
    header: 'Updated',
    align: 'right',
    cell: (template) => <Time value={template.updatedAt} />,
  },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, TemplatesDocument);
