// What a campaign is doing, in words, and what one may have to do.

import type { ReactNode } from 'react';

import type { CampaignDetailFragment } from '../../gen/pages/campaigns/campaign.ts';
import { Card } from '../../ui/card.tsx';
import { formatNumber } from '../../ui/number-text.tsx';
import { Time } from '../../ui/time.tsx';
import { pauseWords } from './campaign-words.ts';

export function CampaignState({ campaign }: { campaign: CampaignDetailFragment }): ReactNode {
  switch (campaign.status) {
    case 'draft':
      return <Words>It is not launched. Continue with “Edit and launch”.</Words>;
    case 'scheduled':
      return (
        <Words>
          It starts <Time value={campaign.scheduledAt} />, at <Time value={campaign.scheduledAt} exact />.
          Until then it can be changed.
        </Words>
      );
    case 'sending':
      return <Eta campaign={campaign} />;
    case 'paused':
      return <Paused campaign={campaign} />;
    case 'sent':
      return (
        <Words>
          Every message was tried at least once
          {campaign.completedAt === null ? (
            ''
          ) : (
            <>
              , the last on <Time value={campaign.completedAt} exact />
            </>
          )}
          . What a server put off is tried again for up to 72 hours.
        </Words>
      );
    case 'cancelled':
      return <Words>It was cancelled. What had not left by then was not sent.</Words>;
  }
}

function Words({ children }: { children: ReactNode }): ReactNode {
  return (
    <Card>
      <p>{children}</p>
    </Card>
  );
}

function Eta({ campaign: { eta, stats } }: { campaign: CampaignDetailFragment }): ReactNode {
  if (eta === null) return <Words>Being sent.</Words>;
  return (
    <Card>
      <p className="font-medium">
        {eta.at === null ? (
          'As things stand, there is no end in sight.'
        ) : (
          <>
            The last message is expected to leave <Time value={eta.at} />, at <Time value={eta.at} exact />.
          </>
        )}
      </p>
      <p className="text-muted mt-1">
        {formatNumber(stats.deferred)} wait for a later day; campaigns of this domain may send{' '}
        {formatNumber(eta.perDay)} messages a day. Assumption: {eta.assumption}.
      </p>
    </Card>
  );
}

function Paused({ campaign }: { campaign: CampaignDetailFragment }): ReactNode {
  const { what, next } = pauseWords(campaign.pauseReason, campaign.pauseMessage);
  return (
    <div role="status" className="bg-warn-soft text-warn rounded-lg px-5 py-4">
      <p className="font-semibold">Paused. {what}</p>
      <p className="mt-1">{next}</p>
      {campaign.pauseMessage !== null && campaign.pauseMessage !== what ? (
        <p className="mt-1 text-[13px] [overflow-wrap:anywhere]">The server said: {campaign.pauseMessage}</p>
      ) : null}
    </div>
  );
}
