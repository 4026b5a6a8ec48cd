// The story of a contact: every message to its address, newest first, with what they did with it and what went wrong.

import { Mail } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { ContactStoryDocument, type StoryMessageFragment } from '../../gen/pages/contacts/contact-story.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { storyLines } from './story-lines.ts';

const PAGE = 10;

/** Ten messages, and more on demand. */
export function ContactStory({ id, email }: { id: string; email: string }): ReactNode {
  const messages = useConnection({
    query: ContactStoryDocument,
    variables: { id },
    pick: (data) => data.contact?.messages,
    typename: 'Message',
    pageSize: PAGE,
  });
  const { nodes, loading, error, hasMore, loadingMore } = messages;
  return (
    <Card
      title="Mail to this address"
      description="Newest first, with opens, clicks, bounces and complaints. Opens by machines are left out."
    >
      {loading ? <Skeleton className="h-24" /> : null}
      {error && nodes.length === 0 ? <ErrorState error={error} onRetry={messages.refresh} /> : null}
      {!loading && !error && nodes.length === 0 ? (
        <EmptyState icon={Mail} title="No mail yet">
          Nothing was sent to {email}.
        </EmptyState>
      ) : null}
      <ol className="divide-y" aria-label="Messages to this address">
        {nodes.map((message) => (
          <StoryMessage key={message.id} message={message} />
        ))}
      </ol>
      {hasMore ? (
        <div className="mt-4 text-center">
          <Button busy={loadingMore} onClick={messages.loadMore}>
            Load more
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

function StoryMessage({ message }: { message: StoryMessageFragment }): ReactNode {
  const lines = storyLines(message.events);
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          href={`/messages/${message.id}`}
          className="text-accent-strong min-w-0 font-medium [overflow-wrap:anywhere] hover:underline"
        >
          {message.subject === '' ? '(no subject)' : message.subject}
        </Link>
        <StatusBadge status={message.status} />
        <span className="text-muted ml-auto text-[13px]">
          <Time value={message.createdAt} />
        </span>
      </div>
      {lines.length === 0 ? null : (
        <ul className="mt-1.5 space-y-1">
          {lines.map(({ text, at }, n) => (
            <li key={n} className="border-l-2 pl-3 text-[13px] [overflow-wrap:anywhere]">
              {text}{' '}
              <span className="text-muted">
                <Time value={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
