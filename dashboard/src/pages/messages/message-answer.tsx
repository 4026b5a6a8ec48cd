// What happened in plain sentences, for who is asked where the message is.

import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

/** The card with a button to copy. */
export function MessageAnswer({ answer }: { answer: string }): ReactNode {
  return (
    <Card
      title="Answer to forward"
      description="What happened in plain sentences, for whoever asks where the message is. Times are UTC."
      actions={<CopyButton value={answer} label="Copy answer" />}
    >
      <p dir="auto" className="bg-subtle rounded-md px-4 py-3 [overflow-wrap:anywhere] whitespace-pre-line">
        {answer}
      </p>
    </Card>
  );
}
