// Header fields that mail libraries add to every message. The services leave them out, or write their own, as we do.

const ADDED = new Set(['message-id', 'date', 'mime-version', 'sender']);

/** Whether a header field is one of them. */
export function isAddedHeader(name: string): boolean {
  return ADDED.has(name.toLowerCase());
}
