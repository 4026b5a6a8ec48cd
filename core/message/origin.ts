// Where a message came from, one value for each message. Mail of this service itself is `reset`, `notice` or `invitation`:
// it counts in no rate of its domain and no quota, and neither a pause nor the brake holds it. A `test` counts in no rate either,
// and otherwise like all mail. Only services can set them.

/** Mail of this service to people, the most urgent first: links that reset a password, notices, invitations. */
const SYSTEM_KINDS = ['reset', 'notice', 'invitation'] as const;

/** One of these kinds. */
export type SystemKind = (typeof SYSTEM_KINDS)[number];

/** Every origin: the API, SMTP submission, a campaign, a test send, or a kind of mail of this service. */
export const ORIGINS = ['api', 'submission', 'campaign', 'test', ...SYSTEM_KINDS] as const;

/** One of these origins. */
export type Origin = (typeof ORIGINS)[number];

/** The origins of mail that counts in no rate (core/message/rated.ts). */
export const UNRATED_ORIGINS = ['test', ...SYSTEM_KINDS] as const;

/** Whether mail is from this service itself; null is the origin of mail that an older version accepted. */
export function isSystem(origin: Origin | null): origin is SystemKind {
  return (SYSTEM_KINDS as readonly (string | null)[]).includes(origin);
}

/** Whether mail may use the part of the cap that is reserved for resets and notices. */
export function isUrgent(origin: Origin | null): boolean {
  return origin === 'reset' || origin === 'notice';
}

const SYSTEM_LIST = `array[${SYSTEM_KINDS.map((kind) => `'${kind}'`).join(', ')}]`;

/** SQL: whether the origin in a column is one of this service itself. */
export function systemSql(column: string): string {
  return `coalesce(${column} = any(${SYSTEM_LIST}), false)`;
}

/** SQL to sort mail of this service by its urgency. */
export function urgencySql(column: string): string {
  return `array_position(${SYSTEM_LIST}, ${column})`;
}
