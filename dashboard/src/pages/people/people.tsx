// People: who belongs to the account, with which role, and who has been invited.

import { UserPlus, UsersRound } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';

import { PeopleDocument, type PersonRowFragment } from '../../gen/pages/people/people.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { OwnersOnly } from '../entry/owners-only.tsx';
import { useLinkedDialog } from '../filters/use-linked-dialog.ts';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { RemovePersonDialog } from './remove-person-dialog.tsx';
import { ResetSecondFactorDialog } from './reset-second-factor-dialog.tsx';
import { SecondFactorRuleCard } from './second-factor-rule-card.tsx';

export function PeoplePage(): ReactNode {
  const { isOwner } = useViewer();
  if (!isOwner) return <OwnersOnly title="People">see and invite people</OwnersOnly>;
  return <People />;
}

function People(): ReactNode {
  const { user } = useViewer();
  const [inviting, setInviting] = useLinkedDialog();
  const [changing, setChanging] = useState<PersonRowFragment | null>(null);
  const [removing, setRemoving] = useState<PersonRowFragment | null>(null);
  const [resetting, setResetting] = useState<PersonRowFragment | null>(null);
  const people = useConnection({ query: PeopleDocument, pick: (data) => data.people, typename: 'User' });
  const columns = [
    ...personColumns(user.id),
    actionsColumn({ self: user.id, change: setChanging, remove: setRemoving, reset: setResetting }),
  ];
  return (
    <>
      <PageHeader
        title="People"
        description="Viewers can see everything about mail. Members can also send and manage it. Owners can also manage people, API keys, single sign-on and the audit log."
        actions={
          <Button variant="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            Invite
          </Button>
        }
      />
      <Card flush>
        <DataTable
          label="People"
          columns={columns}
          connection={people}
          rowKey={(person) => person.id}
          empty={<EmptyState icon={UsersRound} title="No people yet" />}
        />
      </Card>
      <InvitationsCard />
      <SecondFactorRuleCard />
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
      <ChangeRoleDialog key={changing?.id} person={changing} onClose={() => setChanging(null)} />
      <ResetSecondFactorDialog person={resetting} onClose={() => setResetting(null)} />
      <RemovePersonDialog person={removing} onClose={() => setRemoving(null)} />
    </>
  );
}

function personColumns(self: string): readonly Column<PersonRowFragment>[] {
  return [
    {
      id: 'email',
      header: 'Email',
      cell: (person) => (
        <span>
          <Address>{person.email}</Address>
          {person.id === self ? <span className="text-muted font-normal"> (you)</span> : null}
        </span>
      ),
    },
    { id: 'role', header: 'Role', cell: (person) => <Badge>{person.role.replace('_', '-')}</Badge> },
    {
      id: 'password',
      header: 'Signs in with',
      cell: signsInWith,
    },
    { id: 'since', header: 'Created', cell: (person) => <Time value={person.createdAt} /> },
    { id: 'last', header: 'Last sign-in', cell: (person) => <Time value={person.lastSignedInAt} /> },
  ];
}

function signsInWith({ hasPassword, hasSecondFactor }: PersonRowFragment): string {
  if (!hasPassword) return 'single sign-on';
  return hasSecondFactor ? 'password and code' : 'password';
}

function actionsColumn({
  self,
  change,
  remove,
  reset,
}: {
  self: string;
  change: (person: PersonRowFragment) => void;
  remove: (person: PersonRowFragment) => void;
  reset: (person: PersonRowFragment) => void;
}): Column<PersonRowFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (person) =>
      person.id === self || person.role === 'super_admin' ? null : (
        <span className="inline-flex flex-wrap gap-2">
          <Button size="small" onClick={() => change(person)} aria-label={`Change role of ${person.email}`}>
            Change role
          </Button>
          {person.hasSecondFactor ? (
            <Button
              size="small"
              onClick={() => reset(person)}
              aria-label={`Reset two-factor authentication of ${person.email}`}
            >
              Reset two-factor
            </Button>
          ) : null}
          <Button size="small" onClick={() => remove(person)} aria-label={`Remove ${person.email}`}>
            Remove
          </Button>
        </span>
      ),
  };
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, PeopleDocument);
