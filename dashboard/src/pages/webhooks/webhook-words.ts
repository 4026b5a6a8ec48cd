// Texts for webhooks and their deliveries.

import type { WebhookDeliveryRowFragment } from '../../gen/pages/webhooks/deliveries.ts';
import type { WebhookFormat, WebhookRowFragment } from '../../gen/pages/webhooks/webhooks.ts';
import type { Tone } from '../../ui/badge.tsx';
import { formatNumber } from '../../ui/format-number.ts';

/** Stands for all types of events, later ones too. */
export const ALL_EVENTS = '*';

/** The shapes that bodies can have. */
export const FORMAT_OPTIONS = [
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'sendgrid', label: 'SendGrid events' },
] as const satisfies readonly { value: WebhookFormat; label: string }[];

type Status = WebhookDeliveryRowFragment['status'];
type State = Pick<WebhookRowFragment, 'enabled' | 'disabledReason' | 'failingSince'>;
type Counts = WebhookRowFragment['recentDeliveries'];

const STATUSES: Record<Status, { tone: Tone; text: string }> = {
  pending: { tone: 'note', text: 'waiting' },
  succeeded: { tone: 'good', text: 'delivered' },
  failed: { tone: 'warn', text: 'retrying' },
  dead: { tone: 'bad', text: 'failed' },
};

/** The status of a delivery as a badge has it. */
export function deliveryStatus(status: Status): { tone: Tone; text: string } {
  return STATUSES[status];
}

/** Statuses to filter by. */
export const STATUS_OPTIONS: readonly { value: Status; label: string }[] = [
  { value: 'pending', label: 'Waiting' },
  { value: 'succeeded', label: 'Delivered' },
  { value: 'failed', label: 'Retrying' },
  { value: 'dead', label: 'Failed' },
];

/** Whether a webhook is on, as a badge has it. */
export function webhookStatus({ enabled, disabledReason, failingSince }: State): {
  tone: Tone;
  text: string;
} {
  if (!enabled) return { tone: disabledReason === null ? 'neutral' : 'bad', text: 'disabled' };
  return failingSince === null ? { tone: 'good', text: 'enabled' } : { tone: 'warn', text: 'failing' };
}

/** Which events it receives: "All events", "message.delivered and 2 more". */
export function eventsText(eventTypes: readonly string[]): string {
  const [first = '', ...more] = eventTypes;
  if (first === ALL_EVENTS) return 'All events';
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

/** The part of the attempted deliveries that succeeded; null when none was attempted. */
export function successRate({ succeeded, failed, dead }: Counts): number | null {
  const attempted = succeeded + failed + dead;
  return attempted === 0 ? null : succeeded / attempted;
}

const MAX_COUNTED = 2_000; // the API counts the latest ones

/** "1,204 delivered, 3 retrying, 2 failed"; what is zero is left out. */
export function countsText({ succeeded, failed, dead, pending }: Counts): string {
  const parts: [number, string][] = [
    [succeeded, 'delivered'],
    [failed, 'retrying'],
    [dead, 'failed'],
    [pending, 'waiting'],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatNumber(count)} ${word}`);
  if (shown.length === 0) return 'no deliveries';
  const latest =
    succeeded + failed + dead + pending >= MAX_COUNTED ? ` (latest ${formatNumber(MAX_COUNTED)})` : '';
  return shown.join(', ') + latest;
}

const GROUPS: Record<string, string> = {
  message: 'Messages',
  domain: 'Domains',
  campaign: 'Campaigns',
  contact: 'Contacts',
  inbound: 'Inbound mail',
};

/** Types by what they are about, under its heading. */
export function groupTypes<Type extends { name: string }>(
  types: readonly Type[],
): { label: string; types: Type[] }[] {
  const groups = Map.groupBy(types, ({ name }) => name.split('.')[0] ?? name);
  return [...groups].map(([noun, of]) => ({ label: GROUPS[noun] ?? noun, types: of }));
}
