// The attachments of an inbound message, as downloads only.

import type { ReactNode } from 'react';

import type { InboundDetailFragment } from '../../gen/pages/inbound/inbound-message.ts';
import { Card } from '../../ui/card.tsx';
import { formatBytes } from '../../ui/format-number.ts';
import { DownloadButton } from './download-button.tsx';
import { ForeignText } from './foreign-text.tsx';

type Attachment = InboundDetailFragment['attachments'][number];

export function InboundAttachments({
  messageId,
  attachments,
}: {
  messageId: string;
  attachments: readonly Attachment[];
}): ReactNode {
  if (attachments.length === 0) {
    return (
      <Card title="Attachments">
        <p className="text-muted">No attachments.</p>
      </Card>
    );
  }
  return (
    <Card
      title={`Attachments (${attachments.length})`}
      description="Attachments are not scanned for viruses. Open only files you expect."
    >
      <ul className="divide-y rounded-md border">
        {attachments.map(({ index, filename, contentType, sizeBytes }) => (
          <li key={index} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2.5">
            <span className="min-w-0">
              <ForeignText fallback="unnamed file">{filename}</ForeignText>
              <span className="text-muted block text-[13px] [overflow-wrap:anywhere]">
                {contentType}, {formatBytes(sizeBytes)}
              </span>
            </span>
            <DownloadButton
              size="small"
              path={`/api/v1/mail/messages/${messageId}/attachments/${index}`}
              file={filename ?? `attachment-${index}`}
              name={`Download ${filename ?? `attachment ${index + 1}`}`}
            >
              Download
            </DownloadButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
