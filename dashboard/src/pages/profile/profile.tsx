// One's own account: who one is, the password, and where one is signed in.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { OwnProfileDocument } from '../../gen/pages/profile/profile.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** The page. */
export function ProfilePage(): ReactNode {
  const { user, tenant } = useViewer();
  const [{ data }] = useQuery({ query: OwnProfileDocument });
  const self = data?.viewer.user;
  return (
    <>
      <PageHeader
        title="Profile"
        description="Your own account. People and roles of the tenant are under People."
      />
      <div className="space-y-6">
        <Card title="You">
          <DescriptionList
            items={[
              { term: 'E-mail', value: user.email },
              { term: 'Role', value: user.role.replace('_', '-') },
              { term: 'Account', value: `${tenant.name}, plan ${tenant.plan}` },
              { term: 'Since', value: <Time value={self?.createdAt} exact fallback="…" /> },
            ]}
          />
        </Card>
        {self?.hasPassword === false ? (
          <Card title="Password">
            <p className="text-muted">You sign in with SSO and have no password here.</p>
          </Card>
        ) : (
          <PasswordCard email={user.email} />
        )}
        <SessionsCard />
      </div>
    </>
  );
}
