// Why the message stands where it stands: every decision about it in words, newest last.

import type { ReactNode } from 'react';

import type { MessageDetailFragment } from '../../gen/pages/messages/message.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';
import { Time } from '../../ui/time.tsx';

export function MessageDecisions({
  decisions,
}: {
  decisions: MessageDetailFragment['decisions'];
}): ReactNode {
  return (
    <Card title="Why" description="What was decided about this message and by which numbers, oldest first.">
      <ol className="divide-y" aria-label="Decisions">
        {decisions.map((decision, at) => (
          <li key={at} className="py-2.5 first:pt-0 last:pb-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <StatusBadge status={decision.state} />
              <span className="text-muted text-[13px]">
                <Time value={decision.at} exact />
                {decision.times === 1 ? '' : `, ${decision.times} times in a row`}
              </span>
            </div>
            <p className="mt-1 [overflow-wrap:anywhere]">{decision.text}</p>
            <p className="text-muted mt-0.5 text-[13px] [overflow-wrap:anywhere]">
              {decision.nextStep} See <Code>{decision.docs}</Code>.
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
