// Reputation: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function ReputationPage(): ReactNode {
  return <PageHeader title="Reputation" />;
}
