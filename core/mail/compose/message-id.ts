// Message-ID (RFC 5322 section 3.6.4): the same for every attempt, so a receiver can drop a repeat, and for every
// recipient of a submission, so that their replies are one thread.

/**
 * `<uuid@domain>` of one message; the domain is the sending domain. Throws on text that could not stand
 * there.
 */
export function makeMessageId(messageId: string, domain: string): string {
  if (!/^[0-9a-f-]{36}$/i.test(messageId)) throw new RangeError(`not a uuid: ${messageId}`);
  if (!/^[a-z0-9.-]{1,253}$/.test(domain)) throw new RangeError(`not a normalised domain: ${domain}`);
  return `<${messageId.toLowerCase()}@${domain}>`;
}

/** The uuid of a Message-ID that makeMessageId may have made, with or without its brackets; null for others. */
export function readMessageId(text: string): string | null {
  const uuid = /^<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[a-z0-9.-]{1,253}>?$/i.exec(
    text.trim(),
  )?.[1];
  return uuid?.toLowerCase() ?? null;
}
