// The source of a message as it went over the wire: its beginning as text, and all of it as a file.

import { useEffect, useState, type ReactNode } from 'react';

import { readTextFile } from '../../graphql/rest-file.ts';
import { formatBytes } from '../../ui/format-number.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DownloadButton } from '../inbound/download-button.tsx';

const SHOWN_CHARS = 200_000; // more makes browsers slow; the file has all of it

/** Read when it is first shown. */
export function MessageSource({ id }: { id: string }): ReactNode {
  const path = `/api/v1/transactional/${id}/raw`;
  const [source, setSource] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    readTextFile(path).then(
      (text) => void (current && setSource(text)),
      (error: unknown) => {
        // A lost connection is a TypeError with a text of the browser.
        const said = error instanceof Error && !(error instanceof TypeError) ? error.message : null;
        if (current) setProblem(said ?? 'The source could not be read. Check your connection and try again.');
      },
    );
    return () => void (current = false);
  }, [path]);
  if (problem !== null) {
    return (
      <p role="alert" className="bg-bad-soft text-bad rounded-md px-3 py-2">
        {problem}
      </p>
    );
  }
  if (source === null) return <Skeleton className="h-40" />;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <span className="text-muted text-[13px]">
          {source.length > SHOWN_CHARS
            ? `The first ${formatBytes(SHOWN_CHARS)} of ${formatBytes(source.length)}.`
            : formatBytes(source.length)}
        </span>
        <DownloadButton size="small" path={path} file={`${id}.eml`}>
          Download .eml
        </DownloadButton>
      </div>
      <pre
        tabIndex={0}
        aria-label="Source of the message"
        className="bg-subtle max-h-[70dvh] overflow-auto rounded-md p-3 font-mono text-[12px] [overflow-wrap:anywhere] whitespace-pre-wrap"
      >
        {source.slice(0, SHOWN_CHARS)}
      </pre>
    </>
  );
}
