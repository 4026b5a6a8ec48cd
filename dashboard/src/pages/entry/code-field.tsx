// The field for the code of a second factor, shown once the api has asked for it.

import { useState, type ReactNode } from 'react';

import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/**
 * Whether the api asked for a code, now (`errorCode` is that of the form) or at an earlier try. After too many failures a
 * code is what passes.
 */
export function useAsksCode(errorCode: string | null): boolean {
  const [asked, setAsked] = useState(false);
  const isAsked = errorCode === 'second_factor_required' || errorCode === 'rate_limited';
  if (isAsked && !asked) setAsked(true);
  return asked;
}

/** Takes a code of an app or a recovery code. */
export function CodeField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}): ReactNode {
  return (
    <Field label="Code" hint="From your authenticator app, or one of your recovery codes" error={error}>
      <TextInput
        autoComplete="one-time-code"
        autoFocus
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
