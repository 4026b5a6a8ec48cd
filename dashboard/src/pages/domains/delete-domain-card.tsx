// Deleting a domain.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import { DeleteDomainDocument, type DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { useToast } from '../../ui/toast.tsx';

/** Asks for confirmation before it deletes. */
export function DeleteDomainCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [, remove] = useMutation(DeleteDomainDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  const { waiting } = domain.warmup;
  const confirm = async () => {
    const { error } = await remove({ input: { id: domain.id } }, { additionalTypenames: ['Domain'] });
    if (error) return errorText(error);
    toast(`${domain.name} was deleted`);
    navigate('/domains');
    return null;
  };
  return (
    <Card
      title="Delete domain"
      description="Sending from the domain stops. If you add it again, its warm-up starts at tier 0."
      actions={<Button onClick={() => setAsking(true)}>Delete…</Button>}
    >
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${domain.name}?`}
        confirmLabel="Delete domain"
        typed={domain.name}
        onConfirm={confirm}
      >
        <p>Messages from this domain will be rejected and its warm-up is lost. This cannot be undone.</p>
        {waiting > 0 ? (
          <p>
            {waiting === 1 ? '1 waiting message is' : `${formatNumber(waiting)} waiting messages are`}{' '}
            dropped.
          </p>
        ) : null}
      </ConfirmDialog>
    </Card>
  );
}
