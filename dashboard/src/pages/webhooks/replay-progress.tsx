// Replays in progress.

import { LoaderCircle } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import type { WebhookDetailFragment } from '../../gen/pages/webhooks/webhook.ts';
import { Time } from '../../ui/time.tsx';

/** How far each has come; announced while it changes. */
export function ReplayProgress({ replays }: { replays: WebhookDetailFragment['replays'] }): ReactNode {
  return (
    <div role="status">
      {replays.map(({ id, reachedAt, until }) => (
        <p key={id} className="bg-note-soft text-note flex items-center gap-2 px-5 py-2.5">
          <LoaderCircle size={16} className="shrink-0 animate-spin" aria-hidden="true" />
          <span>
            Replay in progress: deliveries before <Time value={reachedAt} exact /> have started again; it ends
            at <Time value={until} exact />.
          </span>
        </p>
      ))}
    </div>
  );
}
