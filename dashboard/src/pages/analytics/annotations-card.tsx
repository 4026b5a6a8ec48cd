// What may explain a change, as a list: the plots show it as dashed lines.

import type { ReactNode } from 'react';

import type { AnalyticsQuery } from '../../gen/pages/analytics/analytics.ts';
import { Card } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';
import { annotationWords } from './annotation-words.ts';

/** The card; nothing when nothing happened. */
export function AnnotationsCard({
  annotations,
}: Pick<AnalyticsQuery['analytics'], 'annotations'>): ReactNode {
  if (annotations.length === 0) return null;
  return (
    <Card
      title="What happened"
      description="Changes of tiers and brakes, and launches of campaigns: the dashed lines of the plots."
    >
      <ol className="divide-y" aria-label="What happened">
        {annotations.toReversed().map((one) => (
          <li
            key={`${one.at} ${one.kind} ${one.subject}`}
            className="flex flex-wrap justify-between gap-x-4 py-2 first:pt-0 last:pb-0"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">{annotationWords(one)}</span>
            <span className="text-muted text-[13px]">
              <Time value={one.at} exact />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
