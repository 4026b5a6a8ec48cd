// What a message says: read apart from the rest of it, because it may be gone.

import { useQuery, type CombinedError } from 'urql';

import {
  MessageContentDocument,
  type MessageWordsFragment,
} from '../../gen/pages/messages/message-content.ts';

/** The words, or why there are none. */
export interface ContentState {
  words: MessageWordsFragment | null;
  /** Not kept any more, or not for others than its recipient: in the words of the api. */
  gone: string | null;
  error: CombinedError | undefined;
  again: () => void;
}

/** Reads it once for all that needs it. */
export function useMessageContent(id: string): ContentState {
  const [{ data, error }, execute] = useQuery({ query: MessageContentDocument, variables: { id } });
  const [refusal] = error?.graphQLErrors ?? [];
  const gone = refusal?.extensions['code'] === 'gone' ? refusal.message : null;
  return {
    words: data?.message?.content ?? null,
    gone,
    error: gone === null ? error : undefined,
    again: () => execute({ requestPolicy: 'network-only' }),
  };
}
