// Addresses and host names in narrow places.

import { Fragment, type ReactNode } from 'react';

const LONG = 32; // characters of one part that a narrow column may not hold: only such a part is broken inside

/** An e-mail address or host name: where it does not fit, it breaks before "@", "." or "+", not inside a word. */
export function Address({ children }: { children: string }): ReactNode {
  const parts = children.split(/(?=[@.+])/);
  return (
    <span className="break-words">
      {parts.map((part, at) => (
        <Fragment key={at}>
          {at === 0 ? null : <wbr />}
          {part.length > LONG ? <span className="[overflow-wrap:anywhere]">{part}</span> : part}
        </Fragment>
      ))}
    </span>
  );
}
