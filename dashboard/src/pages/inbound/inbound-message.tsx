// Inbound message: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function InboundMessagePage(): ReactNode {
  return <PageHeader title="Inbound message" />;
}
