// One's own second factor: setting it up, new recovery codes, turning it off.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  OwnSecondFactorDocument,
  ReplaceRecoveryCodesDocument,
  TurnOffSecondFactorDocument,
} from '../../gen/pages/profile/profile.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CodeField } from '../entry/code-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';

const FACTOR = { additionalTypenames: ['SecondFactor', 'User', 'Session'] };

export function SecondFactorCard(): ReactNode {
  const [{ data, error }, read] = useQuery({ query: OwnSecondFactorDocument });
  const [open, setOpen] = useState<'setup' | 'codes' | 'off' | null>(null);
  const again = () => read({ requestPolicy: 'network-only' });
  const close = () => {
    setOpen(null);
    again();
  };
  const factor = data?.viewer.secondFactor;
  const isOn = factor !== undefined && factor.since !== null;
  return (
    <Card
      title="Two-factor authentication"
      description="Signing in takes your password and a code from an authenticator app. Sign-ins with SSO do not ask for it."
    >
      {factor === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={again} />
        ) : (
          <Skeleton className="h-10 w-2/5" />
        )
      ) : isOn ? (
        <div className="space-y-4">
          <p>
            On since <Time value={factor.since} exact />. {factor.recoveryCodesLeft} of 10 recovery codes are
            left.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('codes')}>New recovery codes</Button>
            {factor.required ? null : <Button onClick={() => setOpen('off')}>Turn off</Button>}
          </div>
        </div>
      ) : (
        <Button onClick={() => setOpen('setup')}>Set up</Button>
      )}
      <Dialog open={open === 'setup'} onClose={close} title="Set up two-factor authentication">
        <SecondFactorSetup onDone={close} />
      </Dialog>
      <Dialog open={open === 'codes'} onClose={close} title="New recovery codes">
        <NewCodes onDone={close} />
      </Dialog>
      <Dialog open={open === 'off'} onClose={close} title="Turn off two-factor authentication?">
        <TurnOff onDone={close} />
      </Dialog>
    </Card>
  );
}

function NewCodes({ onDone }: { onDone: () => void }): ReactNode {
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const form = useMutationForm(ReplaceRecoveryCodesDocument, ['code'], FACTOR);
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(
        () => ({ input: { code } }),
        (data) => setCodes(data.replaceRecoveryCodes.recoveryCodes),
      )}
    >
      <p className="text-muted">The recovery codes that you have now will not work any more.</p>
      <CodeField value={code} onChange={setCode} error={form.fieldError('code')} />
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Make new codes
        </Button>
      </DialogFooter>
    </form>
  );
}

function TurnOff({ onDone }: { onDone: () => void }): ReactNode {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const form = useMutationForm(TurnOffSecondFactorDocument, ['password', 'code'], FACTOR);
  const toast = useToast();
  const done = () => {
    toast('Two-factor authentication turned off');
    onDone();
  };
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(() => ({ input: { password, code } }), done)}
    >
      <Field label="Password" error={form.fieldError('password')}>
        <TextInput
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <CodeField value={code} onChange={setCode} error={form.fieldError('code')} />
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="danger" busy={form.running}>
          Turn off
        </Button>
      </DialogFooter>
    </form>
  );
}
