// The DKIM key that signs, and changing it without a gap.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import { RotateDkimDocument, type DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

/** The card. While a new key waits for its record, it says which. */
export function DkimCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [, rotate] = useMutation(RotateDkimDocument);
  const toast = useToast();
  const { dkim, records } = domain;
  const next = records.filter(
    ({ purpose, name, status }) =>
      purpose === 'dkim' && status !== 'found' && dkim !== null && !name.startsWith(`${dkim.selector}.`),
  );
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
      {next.length > 0 ? (
        <p className="bg-note-soft text-note mt-4 rounded-md px-3 py-2 [overflow-wrap:anywhere]">
          A new key waits for its record {next.map(({ name }) => name).join(', ')}. Publish it and verify: the
          key signs as soon as we see it. Leave the old record for a week, for mail that is on its way.
        </p>
      ) : null}
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
