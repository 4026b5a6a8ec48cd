// The import form and the list of past imports.

import { Upload } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  ContactImportsDocument,
  ImportChoicesDocument,
  type ContactImportsQuery,
} from '../../gen/pages/contacts/imports.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NumberText } from '../../ui/number-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { ContactTabs } from './contact-tabs.tsx';
import { ImportForm } from './import-form.tsx';

type Row = ContactImportsQuery['contactImports']['edges'][number]['node'];

export function ContactImportsPage(): ReactNode {
  const [{ data }] = useQuery({ query: ImportChoicesDocument, variables: {} });
  const imports = useConnection({
    query: ContactImportsDocument,
    pick: (answer) => answer.contactImports,
    typename: 'ContactImport',
  });
  return (
    <>
      <PageHeader title="Imports" description="Add many contacts from a file." />
      <ContactTabs current="/contacts/imports" />
      <div className="space-y-6">
        <ImportForm lists={data?.contactLists.edges.map(({ node }) => node) ?? []} />
        <Card flush title="Past imports">
          <DataTable
            label="Past imports"
            columns={COLUMNS}
            connection={imports}
            rowKey={(row) => row.id}
            rowHref={(row) => `/contacts/imports/${row.id}`}
            empty={
              <EmptyState icon={Upload} title="No imports yet">
                Your imports appear here, with the rows that failed.
              </EmptyState>
            }
          />
        </Card>
      </div>
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'when', header: 'Started', cell: (row) => <Time value={row.createdAt} /> },
  { id: 'status', header: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
  { id: 'total', header: 'Rows', align: 'right', cell: (row) => <NumberText value={row.total} /> },
  { id: 'created', header: 'New', align: 'right', cell: (row) => <NumberText value={row.created} /> },
  { id: 'updated', header: 'Updated', align: 'right', cell: (row) => <NumberText value={row.updated} /> },
  { id: 'skipped', header: 'Skipped', align: 'right', cell: (row) => <NumberText value={row.skipped} /> },
  { id: 'failed', header: 'Failed', align: 'right', cell: (row) => <NumberText value={row.failed} /> },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, ContactImportsDocument);
