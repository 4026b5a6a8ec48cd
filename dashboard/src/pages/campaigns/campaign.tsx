// One campaign: status, progress, details and failed recipients.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { useParams } from 'wouter';

import {
  CampaignDocument,
  CampaignProgressDocument,
  type CampaignDetailFragment,
} from '../../gen/pages/campaigns/campaign.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { useLive } from '../../graphql/use-live.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignFacts } from './campaign-facts.tsx';
import { CampaignProgressCard } from './campaign-progress.tsx';
import { CampaignReport } from './campaign-report.tsx';
import { CampaignStatus } from './campaign-status.tsx';
import { FailedRecipients } from './failed-recipients.tsx';
import { isHeldBack, LaunchUndo } from './launch-undo.tsx';

const BACK = { href: '/campaigns', label: 'Campaigns' };

export function CampaignPage(): ReactNode {
  const id = useParams()['id'] ?? '';
  const [{ data, error }, execute] = useQuery({ query: CampaignDocument, variables: { id } });
  const found = data?.campaign;
  if (found)
    return (
      <LiveCampaign key={found.id} read={found} onRead={() => execute({ requestPolicy: 'network-only' })} />
    );
  return (
    <>
      <PageHeader title="Campaign" back={BACK} />
      {error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : data ? (
        <EmptyState title="Campaign not found">It may have been deleted.</EmptyState>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

// Shows the newest data: the loaded campaign, or a live update since then.
function LiveCampaign({ read, onRead }: { read: CampaignDetailFragment; onRead: () => void }): ReactNode {
  const [news, setNews] = useState<{
    since: CampaignDetailFragment;
    campaign: CampaignDetailFragment;
  } | null>(null);
  const { live } = useLive(CampaignProgressDocument, { id: read.id }, ({ campaignProgress }) =>
    setNews({ since: read, campaign: campaignProgress }),
  );
  const campaign = news !== null && news.since === read ? news.campaign : read;
  return (
    <>
      <PageHeader
        title={campaign.name}
        back={BACK}
        badge={<StatusBadge status={campaign.status} />}
        actions={
          <>
            <span className="flex items-center">
              <LiveDot live={live} />
            </span>
            <CampaignActions campaign={campaign} isHeldBack={isHeldBack(campaign)} />
          </>
        }
      />
      <div className="space-y-6">
        {isHeldBack(campaign) ? (
          <LaunchUndo campaign={campaign} onRead={onRead} />
        ) : (
          <CampaignStatus campaign={campaign} />
        )}
        {campaign.status === 'draft' || campaign.status === 'scheduled' ? null : (
          <CampaignProgressCard campaign={campaign} />
        )}
        <CampaignFacts campaign={campaign} />
        {campaign.stats.failed > 0 ? (
          <FailedRecipients id={campaign.id} failed={campaign.stats.failed} status={campaign.status} />
        ) : null}
        {campaign.launchedAt === null ? null : <CampaignReport id={campaign.id} name={campaign.name} />}
      </div>
    </>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(CampaignDocument, { id }, KNOWN_FIRST);
