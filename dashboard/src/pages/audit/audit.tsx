// Audit log: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function AuditPage(): ReactNode {
  return <PageHeader title="Audit log" />;
}
