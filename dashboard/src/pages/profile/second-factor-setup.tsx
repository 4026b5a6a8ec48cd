// Setting up a second factor, step by step: the app takes the secret, a code proves it, recovery codes are kept.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { encode } from 'uqr';

import {
  ConfirmSecondFactorDocument,
  StartSecondFactorDocument,
  type StartSecondFactorMutation,
} from '../../gen/pages/profile/profile.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** All steps. `onDone` comes after the recovery codes were shown. */
export function SecondFactorSetup({ onDone }: { onDone: () => void }): ReactNode {
  const start = useMutationForm(StartSecondFactorDocument);
  const [made, setMade] = useState<StartSecondFactorMutation['startSecondFactor'] | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = () => void start.run({}).then((data) => data && setMade(data.startSecondFactor));
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    begin();
  });
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (made !== null) return <CodeForm made={made} onConfirmed={setCodes} />;
  if (start.error === null) return <Skeleton className="h-56 w-full" />;
  return (
    <div className="space-y-4">
      <FormError message={start.error} />
      <Button onClick={begin}>Try again</Button>
    </div>
  );
}

function CodeForm({
  made,
  onConfirmed,
}: {
  made: StartSecondFactorMutation['startSecondFactor'];
  onConfirmed: (codes: readonly string[]) => void;
}): ReactNode {
  const [code, setCode] = useState('');
  const form = useMutationForm(ConfirmSecondFactorDocument, ['code']);
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(
        () => ({ input: { code } }),
        (data) => onConfirmed(data.confirmSecondFactor.recoveryCodes),
      )}
    >
      <p className="text-muted">Scan this with an authenticator app, or enter the secret there.</p>
      <QrCode text={made.url} />
      <CodeBlock label="Secret" code={made.secret} wrap />
      <Field label="Code" hint="The six digits that the app shows now" error={form.fieldError('code')}>
        <TextInput
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <FormError message={form.error} />
      <Button type="submit" variant="primary" className="w-full" busy={form.running}>
        Turn on
      </Button>
    </form>
  );
}

// Black on white whatever the theme: many apps read nothing else.
function QrCode({ text }: { text: string }): ReactNode {
  const { size, data } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label="QR code for the authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-md"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
