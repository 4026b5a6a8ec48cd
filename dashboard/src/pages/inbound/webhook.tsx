// Inbound webhook: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function InboundWebhookPage(): ReactNode {
  return <PageHeader title="Inbound webhook" />;
}
