// How to rotate a key while programs run.

import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';

/** The steps, as a card below the list of keys. */
export function RotationGuide(): ReactNode {
  return (
    <Card
      className="mt-6"
      title="Rotate a key without downtime"
      description="Two keys can be active at the same time."
    >
      <ol className="marker:text-muted list-decimal space-y-1.5 pl-5">
        <li>Create a second key with the same scopes and add it to your secret store.</li>
        <li>
          Deploy it to all programs. They send it as <Code>Authorization: Bearer sk_live_…</Code>
        </li>
        <li>
          Watch <em>Last used</em> of the old key, which is accurate to a minute. When it stops changing,
          nothing uses the key any more.
        </li>
        <li>Revoke the old key. It is rejected within a second.</li>
      </ol>
      <p className="text-muted mt-4">
        If a key has leaked, revoke it first and deploy the new one afterwards.
      </p>
    </Card>
  );
}
