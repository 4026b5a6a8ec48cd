// The DKIM key that signs, and its rotation.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  CancelDkimRotationDocument,
  RotateDkimDocument,
  type DomainDetailFragment,
} from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { waitingKeys } from './domain-words.ts';

/** While a new key waits for its DNS record, shows which record. */
export function DkimCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [, rotate] = useMutation(RotateDkimDocument);
  const toast = useToast();
  const { dkim } = domain;
  const next = waitingKeys(domain);
  const confirm = async () => {
    const { error } = await rotate({ input: { id: domain.id } });
    if (error) return errorText(error);
    toast('New key created. Publish its record under DNS records.');
    return null;
  };
  return (
    <Card
      title="DKIM key"
      description="Rotate the key once a year, or when it may have leaked."
      actions={
        <Button disabled={next.length > 0 || dkim === null} onClick={() => setAsking(true)}>
          Rotate key…
        </Button>
      }
    >
      {dkim === null ? (
        <p className="text-muted">No key yet.</p>
      ) : (
        <DescriptionList
          items={[
            { term: 'Selector', value: <Code>{dkim.selector}</Code> },
            { term: 'Algorithm', value: dkim.algorithm },
            { term: 'DNS record', value: <StatusBadge status={dkim.status} /> },
          ]}
        />
      )}
      {next.length > 0 ? <NextKey id={domain.id} records={next} /> : null}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Rotate the DKIM key?"
        confirmLabel="Create new key"
        danger={false}
        onConfirm={confirm}
      >
        <p>You get a new DNS record to publish. The current key keeps signing until we find it.</p>
      </ConfirmDialog>
    </Card>
  );
}

function NextKey({ id, records }: { id: string; records: DomainDetailFragment['records'] }): ReactNode {
  const [{ fetching }, cancel] = useMutation(CancelDkimRotationDocument);
  const toast = useToast();
  const cancelRotation = async () => {
    const { error } = await cancel({ input: { id } });
    if (error) toast(errorText(error), 'bad');
    else toast('Rotation cancelled. The current key keeps signing.');
  };
  return (
    <div className="mt-4 rounded-md border p-3">
      <h3 className="font-medium">The new key waits for its DNS record</h3>
      <ul className="mt-2 space-y-1.5">
        {records.map(({ name, status, problem }) => (
          <li key={name}>
            <span className="flex flex-wrap items-center gap-2">
              <span className="min-w-0 font-mono text-[13px] break-all">{name}</span>
              <StatusBadge status={status} />
            </span>
            {problem === null ? null : <span className="text-warn [overflow-wrap:anywhere]">{problem}</span>}
          </li>
        ))}
      </ul>
      <p className="text-muted mt-2">
        Publish the record shown under DNS records, then check DNS. The new key signs as soon as its record is
        found. Keep the old record for a week, for mail in transit.
      </p>
      <Button size="small" className="mt-3" busy={fetching} onClick={() => void cancelRotation()}>
        Cancel rotation
      </Button>
    </div>
  );
}
