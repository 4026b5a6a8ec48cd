// Marks a domain whose same-day brake holds mail.

import type { ReactNode } from 'react';

import { Badge } from '../../ui/badge.tsx';
import { brakeStatus } from './brake-words.ts';

/** A badge while the brake of a domain holds mail; else nothing. */
export function BrakeBadge({ domain }: { domain: Parameters<typeof brakeStatus>[0] }): ReactNode {
  if (domain.brake.state === 'off') return null;
  const { text, tone } = brakeStatus(domain);
  return <Badge tone={tone}>brake {text}</Badge>;
}
