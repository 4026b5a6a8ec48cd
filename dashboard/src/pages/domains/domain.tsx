// Domain: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function DomainPage(): ReactNode {
  return <PageHeader title="Domain" />;
}
