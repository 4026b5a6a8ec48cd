// What is said about changes of many rows.

import { formatNumber } from '../../ui/format-number.ts';
import type { BulkStateFragment } from '../../gen/pages/bulk/bulk.ts';

type Reason = BulkStateFragment['refused'][number]['reason'];

/** Why rows were left as they are, after their number. */
export const REFUSAL_WORDS: Readonly<Record<Reason, string>> = {
  gone: 'not there any more',
  being_sent: 'being sent right now',
  not_waiting: 'sent or ended already',
  already_on_list: 'on the list already',
  not_on_list: 'not on the list',
  complaint: 'complained: remove these one by one, if at all',
  unsubscribe: 'unsubscribed: remove these one by one, if at all',
};

/** What the rows of a list are called. */
export interface Noun {
  one: string;
  many: string;
}

/** "1 contact", "1,203 contacts". */
export function countText(count: number, { one, many }: Noun): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
