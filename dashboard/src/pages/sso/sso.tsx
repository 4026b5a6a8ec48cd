// Single sign-on: to be written.

import type { ReactNode } from 'react';

import { PageHeader } from '../../ui/page-header.tsx';

/** The page. */
export function SsoPage(): ReactNode {
  return <PageHeader title="Single sign-on" />;
}
