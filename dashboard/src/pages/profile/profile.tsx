// The signed-in person's own account: details, password and sessions.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { OwnProfileDocument } from '../../gen/pages/profile/profile.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { PasswordCard } from './password-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TimeZoneCard } from './time-zone-card.tsx';

export function ProfilePage(): ReactNode {
  const { user, tenant, memberships, session } = useViewer();
  const [{ data }] = useQuery({ query: OwnProfileDocument });
  const self = data?.viewer.user;
  const isOwn = session.method === 'password';
  const others = memberships
    .filter((one) => one.tenant.id !== tenant.id)
    .map((one) => `${one.tenant.name}, ${one.role.replace('_', '-')}`);
  return (
    <>
      <PageHeader
        title="Profile"
        description="Your password, two-factor authentication, time zone and sessions. Other people are managed on the People page."
      />
      <div className="space-y-6">
        <Card title="Details">
          <DescriptionList
            items={[
              { term: 'Email', value: user.email },
              { term: 'Role', value: user.role.replace('_', '-') },
              { term: 'Account', value: `${tenant.name}, plan ${tenant.plan}` },
              ...(others.length > 0 ? [{ term: 'Other accounts', value: others.join('; ') }] : []),
              { term: 'Created', value: <Time value={self?.createdAt} exact fallback="…" /> },
            ]}
          />
        </Card>
        {self?.hasPassword === false ? (
          <Card title="Password">
            <p className="text-muted">You sign in with SSO, so there is no password to change.</p>
          </Card>
        ) : isOwn ? (
          <>
            <PasswordCard email={user.email} />
            <SecondFactorCard />
          </>
        ) : (
          <Card title="Password and two-factor authentication">
            <p className="text-muted">
              SSO opened this session. These settings and your time zone belong to you in all your accounts:
              sign in with your password to change them.
            </p>
          </Card>
        )}
        <TimeZoneCard disabled={!isOwn} />
        <SessionsCard canEnd={isOwn || self?.hasPassword === false} />
      </div>
    </>
  );
}
