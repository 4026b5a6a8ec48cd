// One domain: status, DNS records, DKIM key, settings and warm-up.

import { FileChartColumn, RefreshCw } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';
import { useParams } from 'wouter';

import {
  DomainPageDocument,
  DomainWarmupChangedDocument,
  VerifyDomainDocument,
  type DomainDetailFragment,
} from '../../gen/pages/domains/domain.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useLive } from '../../graphql/use-live.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { NextStep } from '../overview/next-step.tsx';
import { BrakeCard } from './brake-card.tsx';
import { DecisionsCard } from './decisions-card.tsx';
import { DeleteDomainCard } from './delete-domain-card.tsx';
import { DkimCard } from './dkim-card.tsx';
import { DomainSettingsCard } from './domain-settings-card.tsx';
import { PreflightCard } from './preflight-card.tsx';
import { ReceivingCard } from './receiving-card.tsx';
import { RecordsCard } from './records-card.tsx';
import { RuleHoldCard } from './rule-hold-card.tsx';
import { StatusNotice } from './status-notice.tsx';
import { TrackingHostCard } from './tracking-host-card.tsx';
import { useHosting } from './use-hosting.ts';
import { WarmupCard } from './warmup-card.tsx';

const WATCH_MS = 15_000;
const BACK = { href: '/domains', label: 'Domains' };

export function DomainPage(): ReactNode {
  const id = useParams()['id'] ?? '';
  const [{ data, error }, execute] = useQuery({ query: DomainPageDocument, variables: { id } });
  const again = () => execute({ requestPolicy: 'network-only' });
  const { live } = useLive(
    DomainWarmupChangedDocument,
    {},
    ({ warmupChanged }) => void (warmupChanged.domain.id === id && again()),
    { onReconnect: again },
  );
  const domain = data?.domain;
  if (domain) return <Domain key={domain.id} domain={domain} live={live} />;
  return (
    <>
      <PageHeader title="Domain" back={BACK} />
      {error ? (
        <ErrorState error={error} onRetry={again} />
      ) : data ? (
        <EmptyState title="Domain not found">It may have been deleted.</EmptyState>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Domain({ domain, live }: { domain: DomainDetailFragment; live: boolean }): ReactNode {
  const verified = domain.status === 'verified';
  useWatch(domain);
  const hosting = useHosting(domain.id);
  return (
    <>
      <PageHeader
        title={domain.name}
        back={BACK}
        badge={<StatusBadge status={domain.status} />}
        description={
          <>
            Added <Time value={domain.createdAt} />
            {domain.checkedAt === null ? '' : ', DNS checked '}
            {domain.checkedAt === null ? null : <Time value={domain.checkedAt} />}.
          </>
        }
        actions={
          <>
            <ButtonLink href={`/domains/${domain.id}/reports`} icon={FileChartColumn}>
              Reports
            </ButtonLink>
            <VerifyButton domain={domain} />
          </>
        }
      />
      <div className="space-y-6">
        <StatusNotice domain={domain} />
        {verified ? <NextStep /> : null}
        {verified ? <RuleHoldCard domain={domain} /> : null}
        {verified ? <BrakeCard domain={domain} /> : null}
        {verified ? <WarmupCard domain={domain} live={live} /> : null}
        <RecordsCard domain={domain} hosting={hosting} />
        <TrackingHostCard domain={domain} />
        <PreflightCard id={domain.id} />
        <ReceivingCard domain={domain} hosting={hosting} />
        {domain.verifiedAt === null ? null : <DecisionsCard id={domain.id} />}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <DomainSettingsCard key={domain.transactionalReserve} domain={domain} />
          <DkimCard domain={domain} />
        </div>
        <DeleteDomainCard domain={domain} />
      </div>
    </>
  );
}

// While somebody waits in front of the page, DNS is looked at for them.
function useWatch({ id, status }: DomainDetailFragment): void {
  const { canWrite } = useViewer();
  const [, verify] = useMutation(VerifyDomainDocument);
  usePoll(status === 'pending' && canWrite, WATCH_MS, () => {
    if (document.visibilityState === 'visible') void verify({ input: { id } });
  });
}

function VerifyButton({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [, verify] = useMutation(VerifyDomainDocument);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const run = async () => {
    setBusy(true);
    const { data, error } = await verify({ input: { id: domain.id } });
    setBusy(false);
    if (error) return toast(errorText(error), 'bad');
    const now = data?.verifyDomain.domain;
    if (now?.status === 'verified') return toast(`${domain.name} is verified`);
    const left = now?.records.filter((one) => one.required && one.status !== 'found').length ?? 0;
    toast(`Not verified yet: ${left} ${left === 1 ? 'record is' : 'records are'} missing or wrong`, 'bad');
  };
  return (
    <Button
      variant={domain.status === 'verified' ? 'secondary' : 'primary'}
      icon={RefreshCw}
      busy={busy}
      onClick={() => void run()}
    >
      {domain.status === 'verified' ? 'Check DNS' : 'Verify domain'}
    </Button>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(DomainPageDocument, { id }, KNOWN_FIRST);
