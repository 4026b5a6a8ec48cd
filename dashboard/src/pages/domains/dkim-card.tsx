// The DKIM key that signs, and changing it without a gap.

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

/** While a new key waits for its record, it says which. */
export function DkimCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [, rotate] = useMutation(RotateDkimDocument);
  const toast = useToast();
  const { dkim } = domain;
  const next = waitingKeys(domain);
  const confirm = async () => {
    const { error } = await rotate({ input: { id: domain.id } });
    if (error) return errorText(error);
    toast('The new key’s record is under DNS records: publish it');
    return null;
  };
  return (
    <Card
      title="DKIM key"
      description="Change it once a year, or when you think that somebody has it."
      actions={
        <Button disabled={next.length > 0 || dkim === null} onClick={() => setAsking(true)}>
          New key…
        </Button>
      }
    >
      {dkim === null ? (
        <p className="text-muted">There is no key yet.</p>
      ) : (
        <DescriptionList
          items={[
            { term: 'Signs with', value: <Code>{dkim.selector}</Code> },
            { term: 'Kind', value: dkim.algorithm },
            { term: 'Its record', value: <StatusBadge status={dkim.status} /> },
          ]}
        />
      )}
      {next.length > 0 ? <NextKey id={domain.id} records={next} /> : null}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Make a new DKIM key?"
        confirmLabel="Make a new key"
        danger={false}
        onConfirm={confirm}
      >
        <p>You get one more record to publish. The old key goes on signing until we have seen it.</p>
      </ConfirmDialog>
    </Card>
  );
}

function NextKey({ id, records }: { id: string; records: DomainDetailFragment['records'] }): ReactNode {
  const [{ fetching }, cancel] = useMutation(CancelDkimRotationDocument);
  const toast = useToast();
  const giveUp = async () => {
    const { error } = await cancel({ input: { id } });
    if (error) toast(errorText(error), 'bad');
    else toast('The new key is given up; the old one goes on signing');
  };
  return (
    <div className="mt-4 rounded-md border p-3">
      <h3 className="font-medium">A new key waits for its record</h3>
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
        Publish it as it stands under DNS records, then check DNS: the key signs as soon as we see it. Leave
        the old record for a week, for mail that is on its way.
      </p>
      <Button size="small" className="mt-3" busy={fetching} onClick={() => void giveUp()}>
        Give the new key up
      </Button>
    </div>
  );
}
