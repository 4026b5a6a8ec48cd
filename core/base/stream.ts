// The two streams of outgoing mail.

/** Traffic kept apart: a campaign never delays a receipt. */
export type Stream = 'transactional' | 'bulk';
