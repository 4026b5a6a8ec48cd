// Single sign-on: values for the identity provider, its settings, and the sign-in rules.

import { ShieldCheck } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  DeleteSsoConnectionDocument,
  SsoSettingsDocument,
  type SsoConnectionFragment,
} from '../../gen/pages/sso/sso.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConfirmedMutation } from '../../graphql/use-confirmed-mutation.ts';
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
          <EmptyState icon={ShieldCheck} title={`Single sign-on is not part of the ${tenant.plan} plan`}>
            It is included in the pro and scale plans. Ask your administrator to change the plan.
          </EmptyState>
        </Card>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Single sign-on"
        description="People sign in through your company’s identity provider, with SAML 2.0."
        actions={connection ? <StatusOf connection={connection} /> : undefined}
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

function StatusOf({ connection }: { connection: SsoConnectionFragment }): ReactNode {
  if (!connection.enabled) return <Badge tone="warn">disabled</Badge>;
  return <Badge tone="good">{connection.required ? 'enabled, required for members' : 'enabled'}</Badge>;
}

function RemoveCard(): ReactNode {
  const [open, setOpen] = useState(false);
  const [, remove] = useConfirmedMutation(DeleteSsoConnectionDocument);
  const toast = useToast();
  const confirm = async () => {
    const { error } = await remove({}, SSO_CHANGED);
    if (error) return errorText(error);
    toast('Single sign-on removed');
    return null;
  };
  return (
    <Card
      title="Remove single sign-on"
      description="People without a password must then be removed and invited again."
      actions={<Button onClick={() => setOpen(true)}>Remove…</Button>}
    >
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Remove single sign-on?"
        confirmLabel="Remove single sign-on"
        onConfirm={confirm}
      >
        <p>Nobody can sign in with SSO any more. People who have a password can use it again.</p>
        <p>To pause SSO, disable it instead. Its settings are kept.</p>
      </ConfirmDialog>
    </Card>
  );
}
