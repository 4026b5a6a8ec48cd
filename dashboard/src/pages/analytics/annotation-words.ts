// What happened, in words.

import type { AnalyticsQuery } from '../../gen/pages/analytics/analytics.ts';

type Annotation = AnalyticsQuery['analytics']['annotations'][number];

/** One sentence without its time. */
export function annotationWords({ kind, subject, fromTier, toTier }: Annotation): string {
  switch (kind) {
    case 'tier':
      return `${subject}: tier ${fromTier} → ${toTier}`;
    case 'paused':
      return `${subject}: sending paused`;
    case 'resumed':
      return `${subject}: sending resumed`;
    case 'brake':
      return `${subject}: same-day brake on`;
    case 'brake_released':
      return `${subject}: same-day brake released`;
    case 'campaign':
      return `Campaign launched: ${subject}`;
    default:
      return kind satisfies never;
  }
}
