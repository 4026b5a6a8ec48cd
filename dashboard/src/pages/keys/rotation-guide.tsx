// How to change a key while programs run.

import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';

/** The guide below the list. */
export function RotationGuide(): ReactNode {
  return (
    <Card
      className="mt-6"
      title="Changing a key without a gap"
      description="Two keys may be in use at once, so nothing has to stop."
    >
      <ol className="marker:text-muted list-decimal space-y-1.5 pl-5">
        <li>
          Create a second key with the same scopes and put it beside the first, for example in your secret
          store.
        </li>
        <li>
          Roll it out to all programs. Each sends it as <Code>Authorization: Bearer sk_live_…</Code>
        </li>
        <li>
          Watch <em>Last used</em> of the old key (right to within a minute). When it stands still, nothing
          uses it any more.
        </li>
        <li>Revoke the old key. From the next second on it is refused everywhere.</li>
      </ol>
      <p className="text-muted mt-4">
        If a key got out, revoke it first and roll out the new one afterwards.
      </p>
    </Card>
  );
}
