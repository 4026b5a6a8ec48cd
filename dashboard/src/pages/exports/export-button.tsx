// Exports the list that is shown, with its filters, as a CSV file: begins it, shows how far it is, and saves it.

import { Download } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';

import {
  CreateExportDocument,
  ExportProgressDocument,
  type ExportStateFragment,
} from '../../gen/pages/exports/export.ts';
import { errorText } from '../../graphql/error-text.ts';
import { saveFile } from '../../graphql/rest-file.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { formatBytes, formatNumber } from '../../ui/format-number.ts';
import { Progress } from '../../ui/progress.tsx';
import { Time } from '../../ui/time.tsx';

const POLL_MS = 1_000;

/** The button with its dialog. `filter` has the filters of the list by their names in REST. */
export function ExportButton({
  kind,
  filter,
  total,
}: {
  kind: ExportStateFragment['kind'];
  filter: Record<string, unknown>;
  /** How many rows the list has, when that is known. */
  total?: { count: number; isExact: boolean } | null | undefined;
}): ReactNode {
  const [, create] = useMutation(CreateExportDocument);
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<ExportStateFragment | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const begin = async () => {
    setOpen(true);
    setMade(null);
    setProblem(null);
    const { data, error } = await create({ input: { kind, filter } });
    if (data) setMade(data.createExport.export);
    else if (error) setProblem(errorText(error));
  };
  return (
    <>
      <Button size="small" icon={Download} onClick={() => void begin()}>
        Export CSV
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Export ${kind.replace('_', ' ')}`}
        description="All rows that match the filters, newest first."
      >
        {problem === null ? null : <FormError message={problem} />}
        {made === null ? null : <Running begun={made} expected={total?.isExact ? total.count : null} />}
        {problem === null && made === null ? <p role="status">Starting…</p> : null}
      </Dialog>
    </>
  );
}

function Running({ begun, expected }: { begun: ExportStateFragment; expected: number | null }): ReactNode {
  const [{ data, error, fetching }, again] = useQuery({
    query: ExportProgressDocument,
    variables: { id: begun.id },
    requestPolicy: 'network-only',
  });
  const now = data?.export ?? begun;
  const running = now.status === 'pending' || now.status === 'running';
  usePoll(running, POLL_MS, () => void (fetching || again({ requestPolicy: 'network-only' })));
  if (error) return <FormError message={errorText(error)} />;
  if (now.status === 'failed') return <FormError message="The export failed. Close this and export again." />;
  if (!running) return <Finished file={now} />;
  const written = `${formatNumber(now.rows)} rows`;
  return expected !== null && expected > 0 ? (
    <Progress label="Writing the file" value={Math.min(now.rows, expected)} max={expected} />
  ) : (
    <p role="status" className="tabular-nums">
      Writing the file: {written}
    </p>
  );
}

function Finished({ file }: { file: ExportStateFragment }): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    setProblem(null);
    try {
      const day = file.createdAt.slice(0, 10);
      await saveFile(`/api/v1/exports/${file.id}/file`, `${file.kind}-${day}.csv`);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The file could not be downloaded. Try again.');
    }
  };
  return (
    <>
      <p role="status">
        {formatNumber(file.rows)} {file.rows === 1 ? 'row' : 'rows'}, {formatBytes(file.sizeBytes)}. The file
        is removed <Time value={file.expiresAt} />.
      </p>
      {file.isCut ? (
        <p className="text-warn mt-2">
          The list has more rows than one file holds. Narrow it by date and export the rest.
        </p>
      ) : null}
      <FormError message={problem} />
      <DialogFooter>
        <Button variant="primary" icon={Download} onClick={() => void save()}>
          Download
        </Button>
      </DialogFooter>
    </>
  );
}
