// The two streams of outgoing mail.

/** Traffic kept apart: a campaign never delays a receipt. */
export type Stream = (typeof STREAMS)[number];

/** Both of them, the one that goes first first. */
export const STREAMS = ['transactional', 'bulk'] as const;
