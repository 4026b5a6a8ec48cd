// Domains: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function DomainsPage(): ReactNode {
  return <PageHeader title="Domains" />;
}
