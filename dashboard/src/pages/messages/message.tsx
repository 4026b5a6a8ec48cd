// One message: status, timeline, details and delivery attempts.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link, useParams } from 'wouter';

import {
  MessageDocument,
  MessageUpdatedDocument,
  type MessageDetailFragment,
} from '../../gen/pages/messages/message.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { useLive } from '../../graphql/use-live.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useGathered } from '../filters/use-debounced.ts';
import { MessageActions } from './message-actions.tsx';
import { MessageAnswer } from './message-answer.tsx';
import { MessageAttempts } from './message-attempts.tsx';
import { MessageContent } from './message-content.tsx';
import { MessageDecisions } from './message-decisions.tsx';
import { MessageTimeline } from './message-timeline.tsx';
import { useMessageContent } from './use-message-content.ts';
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
  const [refusal, setRefusal] = useState<string | null>(null);
  const content = useMessageContent(message.id);
  return (
    <>
      <PageHeader
        title={(content.words?.subject ?? message.subject) || '(no subject)'}
        back={BACK}
        badge={<StatusBadge status={message.status} />}
        actions={
          <>
            <LiveDot live={live} />
            <MessageActions message={message} isGone={content.gone !== null} onRefusal={setRefusal} />
          </>
        }
      />
      <div className="space-y-6">
        <Card title="Status">
          <p className="font-medium">{statusSentence(message)}</p>
          {message.deferredUntil !== null && message.status === 'deferred' ? (
            <p className="text-muted mt-1">
              Next attempt <Time value={message.deferredUntil} ahead />, at{' '}
              <Time value={message.deferredUntil} exact />.
            </p>
          ) : null}
          {message.expectedAt !== null && message.expectedAt !== message.deferredUntil ? (
            <p className="text-muted mt-1">
              Expected to be delivered <Time value={message.expectedAt} ahead />, at{' '}
              <Time value={message.expectedAt} exact />: other mail goes first.
            </p>
          ) : null}
          <div role="alert">
            {refusal === null ? null : (
              <p className="bg-warn-soft text-warn mt-3 rounded-md px-3 py-2">{refusal}</p>
            )}
          </div>
        </Card>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <MessageTimeline events={message.events} />
          <Facts message={message} />
        </div>
        <MessageContent id={message.id} content={content} />
        <MessageAnswer answer={message.answer} />
        <MessageDecisions decisions={message.decisions} />
        <MessageAttempts attempts={message.attempts} />
      </div>
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

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(MessageDocument, { id }, KNOWN_FIRST);
