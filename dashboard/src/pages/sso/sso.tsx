// Single sign-on: what to enter at the identity provider, what it told us, and who signs in that way.

import { ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';

import {
  DeleteSsoConnectionDocument,
  SsoSettingsDocument,
  type SsoConnectionFragment,
} from '../../gen/pages/sso/sso.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { OwnersOnly } from '../entry/owners-only.tsx';
import { IdentityProviderCard } from './identity-provider-card.tsx';
import { ServiceProviderCard } from './service-provider-card.tsx';
import { SignInRulesCard } from './sign-in-rules-card.tsx';
import { SSO_CHANGED } from './sso-changed.ts';

/** The page. */
export function SsoPage(): ReactNode {
  const { isOwner } = useViewer();
  if (!isOwner) return <OwnersOnly title="Single sign-on">set up single sign-on</OwnersOnly>;
  return <Sso />;
}

function Sso(): ReactNode {
  const { tenant } = useViewer();
  const [{ data, error }, again] = useQuery({ query: SsoSettingsDocument, context: SSO_CHANGED });
  if (!data) {
    if (!error) return <PageSkeleton />;
    return <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
  }
  const { samlServiceProvider: provider, samlConnection: connection } = data;
  if (!provider.available) {
    return (
      <>
        <PageHeader title="Single sign-on" />
        <Card>
          <EmptyState icon={ShieldCheck} title={`The plan ${tenant.plan} has no single sign-on`}>
            It comes with the plans pro and scale. Ask who runs this service for another plan.
          </EmptyState>
        </Card>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Single sign-on"
        description="People sign in with your company’s identity provider, over SAML 2.0."
        actions={connection ? <State connection={connection} /> : undefined}
      />
      <div className="space-y-6">
        <ServiceProviderCard provider={provider} />
        <IdentityProviderCard key={connection?.updatedAt} connection={connection} />
        {connection ? (
          <>
            <SignInRulesCard key={`rules ${connection.updatedAt}`} connection={connection} />
            <RemoveCard />
          </>
        ) : null}
      </div>
    </>
  );
}

function State({ connection }: { connection: SsoConnectionFragment }): ReactNode {
  if (!connection.enabled) return <Badge tone="warn">turned off</Badge>;
  return <Badge tone="good">{connection.required ? 'on, required for members' : 'on'}</Badge>;
}

function RemoveCard(): ReactNode {
  const [open, setOpen] = useState(false);
  const [, remove] = useMutation(DeleteSsoConnectionDocument);
  const toast = useToast();
  const confirm = async () => {
    const { error } = await remove({}, SSO_CHANGED);
    if (error) return errorText(error);
    toast('Single sign-on is removed');
    return null;
  };
  return (
    <Card
      title="Remove single sign-on"
      description="People who never had a password must then be removed and invited again."
      actions={<Button onClick={() => setOpen(true)}>Remove…</Button>}
    >
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Remove single sign-on?"
        confirmLabel="Remove single sign-on"
        onConfirm={confirm}
      >
        <p>Nobody can sign in with it any more. Passwords work again for everybody who has one.</p>
        <p>To stop for a while, turn it off instead: the settings stay.</p>
      </ConfirmDialog>
    </Card>
  );
}
