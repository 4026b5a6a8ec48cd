// Accepting an invitation: the person sets a password, or gives the one they have, and is signed in; or goes on to SSO.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { useLocation, useParams } from 'wouter';

import {
  AcceptInvitationDocument,
  AcceptInvitationForSsoDocument,
  InvitationOfferDocument,
  type InvitationOfferQuery,
} from '../../gen/pages/entry/accept-invitation.ts';
import { startSession } from '../../graphql/session.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { Time } from '../../ui/time.tsx';
import { CodeField, useAsksCode } from './code-field.tsx';
import { EntryFrame } from './entry-frame.tsx';

export function AcceptInvitationPage(): ReactNode {
  const { token } = useParams<{ token: string }>();
  const [{ data, error }, again] = useQuery({ query: InvitationOfferDocument, variables: { token } });
  if (data?.invitation) return <Offer offer={data.invitation} token={token} />;
  if (data) {
    return (
      <EntryFrame
        title="This invitation is no longer valid"
        description="It was used, revoked, or is older than 7 days. Ask for a new one."
      >
        <ButtonLink href="/sign-in">Go to sign-in</ButtonLink>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Invitation">
      {error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
    </EntryFrame>
  );
}

type InvitationOffer = NonNullable<InvitationOfferQuery['invitation']>;

function Offer({ offer, token }: { offer: InvitationOffer; token: string }): ReactNode {
  return (
    <EntryFrame
      title={`Join ${offer.tenantName}`}
      description={
        <>
          Your role: {offer.role.replace('_', '-')}. The invitation expires{' '}
          <Time value={offer.expiresAt} ahead />.
        </>
      }
    >
      <div className="space-y-4">
        {offer.ssoOnly ? null : <PasswordForm offer={offer} token={token} />}
        {offer.hasSso ? <SsoForm token={token} /> : null}
      </div>
    </EntryFrame>
  );
}

function PasswordForm({ offer, token }: { offer: InvitationOffer; token: string }): ReactNode {
  const [password, setPassword] = useState('');
  const [, navigate] = useLocation();
  const [code, setCode] = useState('');
  const form = useMutationForm(AcceptInvitationDocument, ['password', 'code']);
  const asksCode = useAsksCode(form.code);
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(
        () => ({ input: { token, password, code: asksCode ? code : null } }),
        (data) => {
          navigate('/', { replace: true });
          startSession(data.acceptInvitation.accessToken);
        },
      )}
    >
      <Field label="Email">
        <TextInput type="email" autoComplete="username" readOnly value={offer.email} />
      </Field>
      <Field
        label="Password"
        hint={offer.hasPassword ? 'The password of your account' : 'At least 12 characters'}
        error={form.fieldError('password')}
      >
        <TextInput
          type="password"
          autoComplete={offer.hasPassword ? 'current-password' : 'new-password'}
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {asksCode ? <CodeField value={code} onChange={setCode} error={form.fieldError('code')} /> : null}
      <FormError message={form.code === 'second_factor_required' ? null : form.error} />
      <Button type="submit" variant="primary" className="w-full" busy={form.running}>
        {offer.hasPassword ? 'Join and sign in' : 'Set password and sign in'}
      </Button>
    </form>
  );
}

function SsoForm({ token }: { token: string }): ReactNode {
  const form = useMutationForm(AcceptInvitationForSsoDocument);
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(
        () => ({ input: { token } }),
        (data) => location.assign(data.acceptInvitationForSso.loginUrl),
      )}
    >
      <FormError message={form.error} />
      <Button type="submit" className="w-full" busy={form.running}>
        Join and sign in with SSO
      </Button>
    </form>
  );
}
