// Inbound mail: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function InboundPage(): ReactNode {
  return <PageHeader title="Inbound mail" />;
}
