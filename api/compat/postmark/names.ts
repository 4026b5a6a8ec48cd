// What Postmark's words are here.

/** The streams that mail can be sent in. */
export const STREAMS = ['outbound', 'broadcast'] as const;

/** The tag that `Tag` becomes; metadata become tags under their own names. */
export const TAG = 'tag';

/** The tag of mail in a stream other than `outbound`. */
export const STREAM_TAG = 'message_stream';

/** `Tag`, `Metadata` and `MessageStream` of a message, from its tags. */
export function readTags(tags: readonly { name: string; value: string }[]) {
  const valueOf = (wanted: string) => tags.find(({ name }) => name === wanted)?.value;
  const others = tags.filter(({ name }) => name !== TAG && name !== STREAM_TAG);
  return {
    Tag: valueOf(TAG) ?? '',
    Metadata: Object.fromEntries(others.map(({ name, value }) => [name, value])),
    MessageStream: valueOf(STREAM_TAG) ?? 'outbound',
  };
}
