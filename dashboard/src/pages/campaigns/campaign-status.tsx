// The status of a campaign as text, with the next step.

import type { ReactNode } from 'react';

import type { CampaignDetailFragment } from '../../gen/pages/campaigns/campaign.ts';
import { Card } from '../../ui/card.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';
import { pauseWords } from './campaign-words.ts';

export function CampaignStatus({ campaign }: { campaign: CampaignDetailFragment }): ReactNode {
  switch (campaign.status) {
    case 'draft':
      return <Message>Not launched yet. Choose “Edit and launch” to continue.</Message>;
    case 'scheduled':
      return (
        <Message>
          Starts <Time value={campaign.scheduledAt} ahead />, at <Time value={campaign.scheduledAt} exact />.
          You can edit it until then.
        </Message>
      );
    case 'sending':
      return <Eta campaign={campaign} />;
    case 'paused':
      return <Paused campaign={campaign} />;
    case 'sent':
      return (
        <Message>
          Every message was attempted at least once
          {campaign.completedAt === null ? (
            ''
          ) : (
            <>
              , the last on <Time value={campaign.completedAt} exact />
            </>
          )}
          . Deferred messages are retried until they expire.
        </Message>
      );
    case 'cancelled':
      return <Message>Cancelled. Messages that had not been sent by then were cancelled too.</Message>;
  }
}

function Message({ children }: { children: ReactNode }): ReactNode {
  return (
    <Card>
      <p>{children}</p>
    </Card>
  );
}

function Eta({ campaign: { eta, stats } }: { campaign: CampaignDetailFragment }): ReactNode {
  if (eta === null) return <Message>Sending.</Message>;
  return (
    <Card>
      <p className="font-medium">
        {eta.at === null ? (
          'No estimate: at the current cap the campaign does not finish.'
        ) : (
          <>
            The last message is expected to be sent <Time value={eta.at} ahead />, at{' '}
            <Time value={eta.at} exact />.
          </>
        )}
      </p>
      <p className="text-muted mt-1">
        {formatNumber(stats.deferred)} deferred to a later day. Campaigns of this domain can send{' '}
        {formatNumber(eta.perDay)} messages today. Assumption: {eta.assumption}.
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
        <p className="mt-1 text-[13px] [overflow-wrap:anywhere]">Reason: {campaign.pauseMessage}</p>
      ) : null}
    </div>
  );
}
