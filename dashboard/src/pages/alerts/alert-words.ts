// The names of kinds of alerts, and thresholds as people read them.

import type { AlertKindRowFragment, AlertRuleRowFragment } from '../../gen/pages/alerts/alerts.ts';

type Kind = AlertRuleRowFragment['kind'];

/** What each kind is called. */
export const KIND_LABELS: Readonly<Record<Kind, string>> = {
  bounce_rate: 'Bounce rate',
  complaint_rate: 'Complaint rate',
  block_rate: 'Block rate',
  waiting_age: 'Waiting mail',
  webhook_failing: 'Webhook failing',
  dns_broken: 'DNS broken',
  key_unused: 'API key unused',
  key_refused: 'API key refused',
  quota: 'Quota',
};

/** "3 %", "24 hours", "1 request"; no minutes at all are "at once". */
export function thresholdText(threshold: number, unit: AlertKindRowFragment['unit'] | undefined): string {
  if (unit === undefined) return String(threshold);
  if (unit === 'percent') return `${threshold} %`;
  if (unit === 'minutes' && threshold === 0) return 'at once';
  if (unit === 'minutes' && threshold >= 120 && threshold % 60 === 0) return `${threshold / 60} hours`;
  return `${threshold} ${threshold === 1 ? unit.replace(/s$/, '') : unit}`;
}
