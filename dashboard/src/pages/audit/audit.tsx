// The audit log: security and account changes as sentences, each with its time and IP address.

import type { ReactNode } from 'react';

import { AuditLogDocument } from '../../gen/pages/audit/audit.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { OwnersOnly } from '../entry/owners-only.tsx';
import { ExportButton } from '../exports/export-button.tsx';
import { ListBar } from '../filters/list-bar.tsx';
import { AuditTable, useAuditFilters } from './audit-table.tsx';

export function AuditPage(): ReactNode {
  const { isOwner } = useViewer();
  if (!isOwner) return <OwnersOnly title="Audit log">read the audit log</OwnersOnly>;
  return <AuditLog />;
}

function AuditLog(): ReactNode {
  const { filters, variables } = useAuditFilters();
  const entries = useConnection({
    query: AuditLogDocument,
    variables,
    pick: (data) => data.auditLog,
    typename: 'AuditEntry',
  });
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Security and account changes, and who read message contents, newest first. Entries cannot be edited."
      />
      <Card flush>
        <AuditTable
          filters={filters}
          entries={entries}
          linked
          bar={
            <ListBar>
              <ExportButton kind="audit_log" filter={variables} />
            </ListBar>
          }
        />
      </Card>
    </>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, AuditLogDocument);
