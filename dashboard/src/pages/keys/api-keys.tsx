// API keys: list, create, revoke, and how to rotate one without downtime.

import { KeyRound, Plus } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  ApiKeysDocument,
  RevokeApiKeyDocument,
  type ApiKeyRowFragment,
} from '../../gen/pages/keys/api-keys.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { errorText } from '../../graphql/error-text.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useLinkedDialog } from '../filters/use-linked-dialog.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { RotationGuide } from './rotation-guide.tsx';

export function ApiKeysPage(): ReactNode {
  const { isOwner } = useViewer();
  const [creating, setCreating] = useLinkedDialog(isOwner);
  const [revoking, setRevoking] = useState<ApiKeyRowFragment | null>(null);
  const keys = useConnection({
    query: ApiKeysDocument,
    pick: (data) => data.apiKeys,
    typename: 'ApiKey',
  });
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="Your programs use keys to call the REST API. A key can do only what its scopes allow."
        actions={isOwner ? create : undefined}
      />
      <Card flush>
        <DataTable
          label="API keys"
          columns={isOwner ? [...COLUMNS, revokeColumn(setRevoking)] : COLUMNS}
          connection={keys}
          rowKey={(key) => key.id}
          empty={
            <EmptyState icon={KeyRound} title="No API keys yet" action={isOwner ? create : undefined}>
              {isOwner
                ? 'Create one with the scope transactional:send to send your first message.'
                : 'Ask an owner of your account to create one.'}
            </EmptyState>
          }
        />
      </Card>
      <RotationGuide />
      <CreateKeyDialog open={creating} onClose={() => setCreating(false)} />
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

const COLUMNS: readonly Column<ApiKeyRowFragment>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (key) => (
      <>
        {key.name}
        {key.revokedAt === null ? null : (
          <span className="ml-2">
            <Badge tone="bad">revoked</Badge>
          </span>
        )}
        {key.domain === null ? null : (
          <span className="text-muted block text-[13px]">Sends from {key.domain} only</span>
        )}
        {key.allowedAddresses.length === 0 ? null : (
          <span className="text-muted block text-[13px]">From {key.allowedAddresses.join(', ')}</span>
        )}
      </>
    ),
  },
  {
    id: 'scopes',
    header: 'Scopes',
    cell: (key) => (
      <span className="flex flex-wrap gap-1 max-sm:justify-end">
        {key.scopes.slice(0, 3).map((scope) => (
          <Badge key={scope}>{scope}</Badge>
        ))}
        {key.scopes.length > 3 ? (
          <span title={key.scopes.slice(3).join(', ')}>
            <Badge>{`and ${key.scopes.length - 3} more`}</Badge>
          </span>
        ) : null}
      </span>
    ),
  },
  { id: 'created', header: 'Created', cell: (key) => <Time value={key.createdAt} /> },
  { id: 'used', header: 'Last used', cell: (key) => <Time value={key.lastUsedAt} /> },
  { id: 'expires', header: 'Expires', cell: (key) => <Time value={key.expiresAt} /> },
];

function revokeColumn(revoke: (key: ApiKeyRowFragment) => void): Column<ApiKeyRowFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (key) =>
      key.revokedAt === null ? (
        <Button size="small" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
          Revoke
        </Button>
      ) : null,
  };
}

function RevokeDialog({
  apiKey,
  onClose,
}: {
  apiKey: ApiKeyRowFragment | null;
  onClose: () => void;
}): ReactNode {
  const [, revoke] = useMutation(RevokeApiKeyDocument);
  const toast = useToast();
  const confirm = async () => {
    if (apiKey === null) return null;
    const { error } = await revoke({ input: { id: apiKey.id } });
    if (error) return errorText(error);
    toast(`${apiKey.name} was revoked`);
    return null;
  };
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onClose={onClose}
      title={`Revoke ${apiKey?.name ?? 'the key'}?`}
      confirmLabel="Revoke key"
      onConfirm={confirm}
    >
      <p>Programs that use this key are rejected within a second. This cannot be undone.</p>
      {apiKey?.lastUsedAt ? (
        <p>
          It was last used <Time value={apiKey.lastUsedAt} />.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, ApiKeysDocument);
