// One message: status, timeline, details and delivery attempts.

import { Ban } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';
import { Link, useParams } from 'wouter';

import {
  CancelMessageDocument,
  MessageDocument,
  MessageUpdatedDocument,
  type MessageDetailFragment,
} from '../../gen/pages/messages/message.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useLive } from '../../graphql/use-live.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useGathered } from '../filters/use-debounced.ts';
import { MessageAttempts } from './message-attempts.tsx';
import { MessageDecisions } from './message-decisions.tsx';
import { MessageTimeline } from './message-timeline.tsx';
import { reasonSentence, STATE_SENTENCES } from './waiting-words.ts';

const GATHER_MS = 300;
const BACK = { href: '/messages', label: 'Messages' };

export function MessagePage(): ReactNode {
  const id = useParams()['id'] ?? '';
  const [{ data, error }, execute] = useQuery({ query: MessageDocument, variables: { id } });
  const again = () => execute({ requestPolicy: 'network-only' });
  const readAgain = useGathered(again, GATHER_MS);
  const { live } = useLive(MessageUpdatedDocument, { id }, readAgain);
  if (!data) {
    return (
      <>
        <PageHeader title="Message" back={BACK} />
        {error ? <ErrorState error={error} onRetry={again} /> : <PageSkeleton />}
      </>
    );
  }
  if (!data.message) {
    return (
      <>
        <PageHeader title="Message" back={BACK} />
        <EmptyState title="Message not found">
          It may have been deleted after the retention period.
        </EmptyState>
      </>
    );
  }
  return <Detail message={data.message} live={live} />;
}

function Detail({ message, live }: { message: MessageDetailFragment; live: boolean }): ReactNode {
  const [cancelling, setCancelling] = useState(false);
  const cancellable = message.status === 'deferred';
  return (
    <>
      <PageHeader
        title={message.subject === '' ? '(no subject)' : message.subject}
        back={BACK}
        badge={<StatusBadge status={message.status} />}
        actions={
          <>
            <LiveDot live={live} />
            {cancellable ? (
              <Button icon={Ban} onClick={() => setCancelling(true)}>
                Cancel message
              </Button>
            ) : null}
          </>
        }
      />
      <div className="space-y-6">
        <Card title="Status">
          <p className="font-medium">{statusSentence(message)}</p>
          {message.deferredUntil !== null && message.status === 'deferred' ? (
            <p className="text-muted mt-1">
              Next attempt <Time value={message.deferredUntil} />, at{' '}
              <Time value={message.deferredUntil} exact />.
            </p>
          ) : null}
        </Card>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <MessageTimeline events={message.events} />
          <Facts message={message} />
        </div>
        <MessageDecisions decisions={message.decisions} />
        <MessageAttempts attempts={message.attempts} />
      </div>
      <CancelDialog id={message.id} open={cancelling} onClose={() => setCancelling(false)} />
    </>
  );
}

function statusSentence(message: MessageDetailFragment): string {
  if (message.waiting !== null) return message.waiting;
  if (message.status === 'deferred' && message.deferReason !== null)
    return reasonSentence(message.deferReason);
  const sentence = STATE_SENTENCES[message.status];
  return message.status === 'dropped' && message.reason !== null
    ? `${sentence} ${reasonSentence(message.reason)}`
    : sentence;
}

function Facts({ message }: { message: MessageDetailFragment }): ReactNode {
  const link = (href: string, text: string) => (
    <Link href={href} className="text-accent-strong hover:underline">
      {text}
    </Link>
  );
  return (
    <Card title="Details">
      <DescriptionList
        items={[
          { term: 'From', value: message.from },
          { term: 'To', value: message.to },
          { term: 'Sent', value: <Time value={message.createdAt} exact /> },
          { term: 'Sending domain', value: message.domain },
          ...(message.campaignId === null
            ? []
            : [{ term: 'Campaign', value: link(`/campaigns/${message.campaignId}`, 'View campaign') }]),
          ...(message.templateId === null
            ? []
            : [{ term: 'Template', value: link(`/templates/${message.templateId}`, 'View template') }]),
          { term: 'Tags', value: <Tags tags={message.tags} /> },
          {
            term: 'ID',
            value: (
              <span className="inline-flex max-w-full items-center gap-1">
                <span className="min-w-0 font-mono text-[13px] break-all">{message.id}</span>
                <CopyButton value={message.id} name="Copy message ID" />
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Tags({ tags }: { tags: MessageDetailFragment['tags'] }): ReactNode {
  if (tags.length === 0) return <span className="text-muted">none</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {tags.map(({ name, value }) => (
        <Badge key={name}>{`${name}: ${value}`}</Badge>
      ))}
    </span>
  );
}

function CancelDialog({ id, open, onClose }: { id: string; open: boolean; onClose: () => void }): ReactNode {
  const [, cancel] = useMutation(CancelMessageDocument);
  const toast = useToast();
  const confirm = async () => {
    const { error } = await cancel({ input: { id } });
    if (error) return errorText(error);
    toast('Message cancelled');
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Cancel this message?"
      confirmLabel="Cancel message"
      onConfirm={confirm}
    >
      <p>The message will not be sent. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
