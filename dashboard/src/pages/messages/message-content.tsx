// What the message says: as a desktop, a phone and a dark mail client show it, as text, with its headers, source and files.

import { Archive } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import type { MessageWordsFragment } from '../../gen/pages/messages/message-content.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatBytes } from '../../ui/format-number.ts';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DownloadButton } from '../inbound/download-button.tsx';
import { ForeignText } from '../inbound/foreign-text.tsx';
import { Headers, PlainText } from '../inbound/inbound-body.tsx';
import { MessageSource } from './message-source.tsx';
import type { ContentState } from './use-message-content.ts';

/** Each view in a tab; without content, why there is none. */
export function MessageContent({ id, content }: { id: string; content: ContentState }): ReactNode {
  const { words, gone, error, again } = content;
  if (words !== null) {
    return (
      <Card title="Message">
        <Tabs label="Parts of the message" tabs={tabsOf(id, words)} />
      </Card>
    );
  }
  return (
    <Card title="Message">
      {gone !== null ? (
        <EmptyState icon={Archive} title="The content is not shown">
          {gone} Content is deleted after the retention period, or when the message has ended if your account
          keeps none.
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <PageSkeleton />
      )}
    </Card>
  );
}

function tabsOf(id: string, { html, text, headers, attachments }: MessageWordsFragment) {
  const views =
    html === null
      ? []
      : [
          {
            id: 'desktop',
            label: 'Desktop',
            content: <MailFrame html={html} title="Message on a desktop" />,
          },
          {
            id: 'phone',
            label: 'Phone',
            content: <MailFrame html={html} title="Message on a phone" narrow />,
          },
          {
            id: 'dark',
            label: 'Dark',
            content: (
              <>
                <MailFrame html={html} title="Message in the dark" dark />
                <p className="text-muted mt-2 text-[13px]">
                  With the dark styles of the message itself. Some mail clients change its colors further.
                </p>
              </>
            ),
          },
        ];
  return [
    ...views,
    { id: 'text', label: 'Text', content: <PlainText text={text} /> },
    { id: 'headers', label: `Headers (${headers.length})`, content: <Headers headers={headers} /> },
    { id: 'source', label: 'Source', content: <MessageSource id={id} /> },
    {
      id: 'attachments',
      label: `Attachments (${attachments.length})`,
      content: <Attachments id={id} attachments={attachments} />,
    },
  ];
}

function Attachments({
  id,
  attachments,
}: {
  id: string;
  attachments: MessageWordsFragment['attachments'];
}): ReactNode {
  if (attachments.length === 0) return <p className="text-muted">No attachments.</p>;
  return (
    <ul className="divide-y rounded-md border">
      {attachments.map(({ filename, contentType, sizeBytes }, index) => (
        <li key={index} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2.5">
          <span className="min-w-0">
            <ForeignText fallback="unnamed file">{filename}</ForeignText>
            <span className="text-muted block text-[13px] [overflow-wrap:anywhere]">
              {contentType}, {formatBytes(sizeBytes)}
            </span>
          </span>
          <DownloadButton
            size="small"
            path={`/api/v1/transactional/${id}/attachments/${index}`}
            file={filename}
            name={`Download ${filename}`}
          >
            Download
          </DownloadButton>
        </li>
      ))}
    </ul>
  );
}
