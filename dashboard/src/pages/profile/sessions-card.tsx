// The browsers in which the person is signed in, with sign-out for each.

import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';

import {
  OwnSessionsDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  type OwnSessionsQuery,
} from '../../gen/pages/profile/profile.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';

type Session = OwnSessionsQuery['sessions'][number];

const REFRESHED = { additionalTypenames: ['Session'] };

/** Without `canEnd` it only lists them. */
export function SessionsCard({ canEnd }: { canEnd: boolean }): ReactNode {
  const [{ data, error }, again] = useQuery({ query: OwnSessionsDocument, context: REFRESHED });
  const [, revoke] = useMutation(RevokeSessionDocument);
  const [, revokeOthers] = useMutation(RevokeOtherSessionsDocument);
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  const end = async (session: Session) => {
    const result = await revoke({ input: { id: session.id } }, REFRESHED);
    if (result.error) toast(errorText(result.error), 'bad');
    else toast(`Signed out: ${session.browser}`);
  };
  const endOthers = async () => {
    const result = await revokeOthers({}, REFRESHED);
    if (result.error) return errorText(result.error);
    toast('Signed out all other sessions');
    return null;
  };
  const others = (data?.sessions ?? []).some((session) => !session.current);
  return (
    <Card
      flush
      title="Sessions"
      description={
        canEnd
          ? 'Browsers signed in to your account. Sign out any you do not recognize, then change your password.'
          : 'Browsers signed in by the same SSO. Sign in with your password to see and sign out the others.'
      }
      actions={
        canEnd && others ? <Button onClick={() => setAsking(true)}>Sign out others</Button> : undefined
      }
    >
      {data ? (
        <DataTable
          label="Sessions"
          columns={canEnd ? [...COLUMNS, endColumn((session) => void end(session))] : COLUMNS}
          rows={data.sessions}
          rowKey={(session) => session.id}
          empty={null}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : (
        <Skeleton className="m-5 h-20" />
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Sign out all other sessions?"
        confirmLabel="Sign out others"
        onConfirm={endOthers}
      >
        <p>You will have to sign in again in every other browser.</p>
      </ConfirmDialog>
    </Card>
  );
}

const COLUMNS: readonly Column<Session>[] = [
  {
    id: 'browser',
    header: 'Browser',
    cell: (session) => (
      <span title={session.userAgent} className="inline-flex flex-wrap items-center gap-2">
        {session.browser}
        {session.current ? <Badge tone="good">this browser</Badge> : null}
        {session.method === 'saml' ? <Badge>SSO</Badge> : null}
      </span>
    ),
  },
  { id: 'ip', header: 'IP address', cell: (session) => session.ip },
  { id: 'since', header: 'Signed in', cell: (session) => <Time value={session.createdAt} /> },
  { id: 'used', header: 'Last used', cell: (session) => <Time value={session.lastUsedAt} /> },
];

function endColumn(end: (session: Session) => void): Column<Session> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (session) =>
      session.current ? null : (
        <Button size="small" onClick={() => end(session)} aria-label={`Sign out ${session.browser}`}>
          Sign out
        </Button>
      ),
  };
}
