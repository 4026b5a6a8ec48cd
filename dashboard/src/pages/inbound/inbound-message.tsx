// One inbound message. Opening it marks it as read; its HTML is shown in a sandboxed frame that loads nothing.

import { MailOpen, Mail as MailIcon, Trash } from '../../gen/icons.ts';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';
import { useParams } from 'wouter';

import {
  InboundMessagePageDocument,
  MarkInboundMessageDocument,
  type InboundDetailFragment,
} from '../../gen/pages/inbound/inbound-message.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { errorCode } from '../../graphql/client.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { authSummary } from './auth-words.ts';
import { DeleteInboundDialog } from './delete-inbound-dialog.tsx';
import { DownloadButton } from './download-button.tsx';
import { ForeignText } from './foreign-text.tsx';
import { InboundAttachments } from './inbound-attachments.tsx';
import { InboundAuth } from './inbound-auth.tsx';
import { InboundBody } from './inbound-body.tsx';
import { InboundDeliveries } from './inbound-deliveries.tsx';
import { InboundFacts } from './inbound-facts.tsx';

const BACK = { href: '/inbound', label: 'Inbox' };

export function InboundMessagePage(): ReactNode {
  const id = useParams()['id'] ?? '';
  const [{ data, error }, execute] = useQuery({ query: InboundMessagePageDocument, variables: { id } });
  // The id as key: remote images that were allowed for one message stay blocked in the next.
  if (data?.inboundMessage) return <Detail key={data.inboundMessage.id} message={data.inboundMessage} />;
  const missing = error ? errorCode(error) === 'not_found' : data !== undefined;
  return (
    <>
      <PageHeader title="Inbound message" back={BACK} />
      {missing ? (
        <EmptyState title="Message not found">It may have been deleted.</EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Detail({ message }: { message: InboundDetailFragment }): ReactNode {
  const [deleting, setDeleting] = useState(false);
  const { id, subject, read, junk } = message;
  const { mark, marking } = useMark(message);
  const checks = authSummary(message.auth);
  const title = subject === null || subject.trim() === '' ? '(no subject)' : subject;
  return (
    <>
      <PageHeader
        title={title}
        back={BACK}
        badge={
          <>
            <Badge tone={checks.tone}>{checks.text}</Badge>
            {junk ? <Badge tone="warn">junk</Badge> : null}
            {read ? null : <Badge tone="accent">unread</Badge>}
          </>
        }
        description={
          <>
            From <ForeignText fallback="no sender">{message.from ?? message.envelopeFrom}</ForeignText> to{' '}
            <ForeignText fallback="no recipient">{message.recipient}</ForeignText>,{' '}
            <Time value={message.receivedAt} />
          </>
        }
        actions={
          <>
            <Button
              icon={read ? MailIcon : MailOpen}
              busy={marking}
              onClick={() => void mark(!read, read ? 'Marked as unread' : 'Marked as read')}
            >
              {read ? 'Mark as unread' : 'Mark as read'}
            </Button>
            <DownloadButton path={`/api/v1/mail/messages/${id}/raw`} file={`${id}.eml`}>
              Download .eml
            </DownloadButton>
            <Button icon={Trash} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
        }
      />
      <div className="space-y-6">
        {message.parseError === null ? null : <Unreadable reason={message.parseError} />}
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="min-w-0 space-y-6">
            <InboundBody message={message} />
            <InboundAttachments messageId={id} attachments={message.attachments} />
            <InboundDeliveries deliveries={message.deliveries} />
          </div>
          <div className="min-w-0 space-y-6">
            <InboundAuth auth={message.auth} />
            <InboundFacts message={message} />
          </div>
        </div>
      </div>
      <DeleteInboundDialog id={id} open={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}

function useMark({ id, read }: InboundDetailFragment) {
  const [{ fetching }, execute] = useMutation(MarkInboundMessageDocument);
  const toast = useToast();
  const mark = async (to: boolean, done?: string) => {
    const types = { additionalTypenames: ['Mailbox'] }; // they count what is unread
    const { error } = await execute({ input: { id, read: to } }, types);
    if (error) toast(errorText(error), 'bad');
    else if (done !== undefined) toast(done);
  };
  const onOpen = useEffectEvent(() => {
    if (!read) void mark(true);
  });
  useEffect(() => onOpen(), []);
  return { mark, marking: fetching };
}

function Unreadable({ reason }: { reason: string }): ReactNode {
  return (
    <div className="bg-warn-soft rounded-lg px-5 py-4">
      <p className="text-warn font-semibold">This message could not be fully parsed</p>
      <p className="mt-1 break-words">
        The content below may be incomplete. Download the .eml file for the original message. Reason: {reason}
      </p>
    </div>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(InboundMessagePageDocument, { id }, KNOWN_FIRST);
