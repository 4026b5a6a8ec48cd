// Jobs: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function JobsPage(): ReactNode {
  return <PageHeader title="Jobs" />;
}
