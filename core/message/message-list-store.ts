// The statements behind lists of messages. list-messages.ts says which of them a list is made of.
// SQL by hand: each condition is there only when it was asked for, and written so that the walk in the order of ids is
// the only plan (`is not distinct from` has no index): a plan that sorts is fast until a value becomes frequent.

import type { Queryable } from '../db/pool.ts';
import { MESSAGE_DOMAIN, MESSAGE_FROM, MESSAGE_SUMMARY } from './message-columns.ts';
import type { MessageSummary } from './message-store.ts';
import { BETWEEN_WORDS, type TextFilter } from './search/terms.ts';
import type { MessageState } from './states.ts';

/** Which messages of a tenant. All of it must match. */
export interface MessageFilter extends TextFilter {
  /** `to` is the whole address, not a part of it. */
  isWholeAddress?: boolean | undefined;
  status?: MessageState | undefined;
  /** From this time. */
  since?: Date | undefined;
  /** Before this time. */
  until?: Date | undefined;
  /** Of a submission to several recipients only the message to the first. */
  firstOfGroup?: boolean | undefined;
}

/** A part of the messages, by their ids: above one and below another. */
export interface IdRange {
  above: string;
  below: string;
}

/** A tenant's messages that match, in the order of their ids. */
export interface ListQuery {
  tenantId: string;
  filter: MessageFilter;
  oldestFirst: boolean;
  /** What is read of each: a MessageSummary, or with `id` its id alone, for counting. */
  columns?: 'all' | 'id';
}

const columnsOf = ({ columns }: ListQuery) => (columns === 'id' ? 'm.id' : MESSAGE_SUMMARY);

/** Those of a range, walking it in order until there are enough. */
export async function selectInRange(
  db: Queryable,
  query: ListQuery,
  range: IdRange,
  limit: number,
): Promise<MessageSummary[]> {
  const { rows } = await db.query<MessageSummary>(...inRange(columnsOf(query), query, range, limit));
  return rows;
}

/** Those of some ids. */
export async function selectAmong(
  db: Queryable,
  query: ListQuery,
  ids: string[],
  limit: number,
): Promise<MessageSummary[]> {
  const values: unknown[] = [query.tenantId, ids, limit];
  const { rows } = await db.query<MessageSummary>(
    `select ${columnsOf(query)} ${MESSAGE_FROM}
     where m.tenant_id = $1 and m.id = any($2::uuid[]) ${conditions(query.filter, values)}
     order by m.id ${query.oldestFirst ? 'asc' : 'desc'} limit $3`,
    values,
  );
  return rows;
}

/** Where a walk over a range comes to after so many messages in the filter's state; null when there are fewer. */
export async function selectStateBoundary(
  db: Queryable,
  query: ListQuery,
  range: IdRange,
  walked: number,
): Promise<string | null> {
  const inState = { ...query, filter: { status: query.filter.status } };
  const { rows } = await db.query<{ id: string }>(...inRange('m.id', inState, range, 1, walked - 1));
  return rows[0]?.id ?? null;
}

// A walk along the messages of a range, in order, that ends with the page. Two things keep the planner from another plan,
// which is fast until there are many messages:
// - `offset 0` keeps the conditions out of the walk. It would take them for so rare that it sorted what is left.
// - Those in a state have an index. Pairs of state and id say the same as `state = …` and the range, but in that order
//   only this index has them; left the choice, all messages are walked by id to find a rare state. (With `>=` and `<=`
//   those in the state count as many, with `>` and `<` as hardly any.) Claimed are only messages under way, and there
//   is an index of those.
function inRange(
  columns: string,
  { tenantId, filter, oldestFirst }: ListQuery,
  { above, below }: IdRange,
  limit: number,
  offset = 0,
): [text: string, values: unknown[]] {
  const { status, ...others } = filter;
  const values: unknown[] = [tenantId, above, below, limit, offset];
  const direction = oldestFirst ? 'asc' : 'desc';
  let walk = `order by id ${direction}`;
  if (status === 'sending') walk = `and claimed_by is not null and state = 'sending' ${walk}`;
  else if (status !== undefined) {
    values.push(status);
    walk = `and state <> 'sending' and (state, id) >= ($6, $2) and (state, id) <= ($6, $3)
       order by state ${direction}, id ${direction}`;
  }
  return [
    `select ${columns} from (
       select * from messages where tenant_id = $1 and id > $2 and id < $3 ${walk} offset 0) m
     where true ${conditions(others, values)}
     limit $4 offset $5`,
    values,
  ];
}

// Adds to the values what the conditions name.
function conditions(filter: MessageFilter, values: unknown[]): string {
  const {
    to,
    isWholeAddress,
    words = [],
    domain,
    campaignId,
    tag,
    status,
    since,
    until,
    firstOfGroup,
  } = filter;
  const say = (value: unknown) => `$${values.push(value)}`;
  const all: string[] = [];
  if (status !== undefined) all.push(`m.state = ${say(status)}`);
  if (since !== undefined) all.push(`m.created_at >= ${say(since)}`);
  if (until !== undefined) all.push(`m.created_at < ${say(until)}`);
  if (firstOfGroup === true) all.push('coalesce(m.group_id, m.id) = m.id');
  if (to !== undefined)
    all.push(
      isWholeAddress === true
        ? `lower(m.rcpt_to) is not distinct from lower(${say(to)})`
        : `strpos(lower(m.rcpt_to), lower(${say(to)})) > 0`,
    );
  for (const word of words) {
    all.push(`strpos(lower(m.subject), ${say(word)}) > 0`);
    all.push(`lower(m.subject) ~ ${say(`(^|${BETWEEN_WORDS})${word}($|${BETWEEN_WORDS})`)}`);
  }
  if (domain !== undefined) all.push(`${MESSAGE_DOMAIN} = lower(${say(domain)})`);
  if (campaignId !== undefined) all.push(`m.campaign_id is not distinct from ${say(campaignId)}::uuid`);
  if (tag !== undefined) {
    const wanted = tag.value === null ? { name: tag.name } : { name: tag.name, value: tag.value };
    all.push(`m.tags @> ${say(JSON.stringify([wanted]))}::jsonb`);
  }
  return all.map((one) => `and ${one}`).join(' ');
}
