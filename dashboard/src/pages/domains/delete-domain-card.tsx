// Giving a domain up.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import { DeleteDomainDocument, type DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatNumber } from '../../ui/number-text.tsx';
import { useToast } from '../../ui/toast.tsx';

/** It asks before it deletes. */
export function DeleteDomainCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [, remove] = useMutation(DeleteDomainDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  const { waiting } = domain.warmup;
  const confirm = async () => {
    const { error } = await remove({ input: { id: domain.id } }, { additionalTypenames: ['Domain'] });
    if (error) return errorText(error);
    toast(`${domain.name} is deleted`);
    navigate('/domains');
    return null;
  };
  return (
    <Card
      title="Delete the domain"
      description="Nothing is sent from it any more. Adding it again starts its warm-up at tier 0."
      actions={<Button onClick={() => setAsking(true)}>Delete…</Button>}
    >
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${domain.name}?`}
        confirmLabel="Delete domain"
        onConfirm={confirm}
      >
        <p>Sends from it are refused from now on, and its warm-up is lost. This cannot be undone.</p>
        {waiting > 0 ? <p>{formatNumber(waiting)} messages that wait for it are dropped.</p> : null}
      </ConfirmDialog>
    </Card>
  );
}
