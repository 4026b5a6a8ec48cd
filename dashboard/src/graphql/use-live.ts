// A subscription as a page uses it: each result goes to a callback, and the page shows whether it is connected.

import { useEffect, useEffectEvent, useState } from 'react';
import { stringifyDocument, type AnyVariables, type TypedDocumentNode } from 'urql';

import { openStream } from './stream.ts';

/**
 * Subscribes while the component is mounted. Returns whether it is connected, for LiveDot. `onReconnect` is called
 * when a lost connection is back: changes in between were missed, so load the data again.
 */
export function useLive<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  onNext: (data: Data) => void,
  options: { pause?: boolean; onReconnect?: () => void } = {},
): { live: boolean } {
  const [live, setLive] = useState(false);
  const next = useEffectEvent((data: unknown) => onNext(data as Data));
  const onReconnect = useEffectEvent(() => options.onReconnect?.());
  const key = JSON.stringify(variables);
  const pause = options.pause ?? false;
  useEffect(() => {
    if (pause) return undefined;
    const request = {
      query: stringifyDocument(document),
      variables: JSON.parse(key) as Record<string, unknown>,
    };
    let connects = 0;
    const close = openStream(request, {
      next: (result) => next(result.data),
      live: (on) => {
        setLive(on);
        if (on && ++connects > 1) onReconnect();
      },
    });
    return () => {
      close();
      setLive(false);
    };
  }, [document, key, pause]);
  return { live };
}
