// A labelled control with a hint and an error. The control inside gets id, description and validity by context, so
// that TextInput, TextArea and Select need no wiring.

import { createContext, useContext, useId, type ReactNode } from 'react';

import { fieldSentence } from '../graphql/error-text.ts';

interface FieldWiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

const FieldContext = createContext<FieldWiring | null>(null);

/** What the control inside a Field spreads on its element; nothing outside of one. */
export function useField(): Partial<FieldWiring> {
  return useContext(FieldContext) ?? {};
}

/** A label above one control. `error` continues the label ("must be a number") or is a sentence. */
export function Field({
  label,
  hint,
  error,
  optional = false,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [error !== undefined && errorId, hint !== undefined && hintId].filter(Boolean).join(' ');
  return (
    <div className="space-y-1.5">
      <label id={`${id}-label`} htmlFor={id} className="block font-medium">
        {label}
        {optional ? <span className="text-muted font-normal"> (optional)</span> : null}
      </label>
      <FieldContext
        value={{
          id,
          'aria-describedby': described || undefined,
          'aria-invalid': error === undefined ? undefined : true,
        }}
      >
        {children}
      </FieldContext>
      {error === undefined ? null : (
        <p id={errorId} className="text-bad text-[13px]">
          {fieldSentence(label, error)}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={hintId} className="text-muted text-[13px]">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Several controls under one heading, for example check boxes. */
export function FieldSet({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <fieldset aria-describedby={error === undefined ? undefined : id} className="space-y-2">
      <legend className="mb-1 font-medium">{label}</legend>
      {hint === undefined ? null : <p className="text-muted text-[13px]">{hint}</p>}
      {children}
      {error === undefined ? null : (
        <p id={id} className="text-bad text-[13px]">
          {fieldSentence(label, error)}
        </p>
      )}
    </fieldset>
  );
}

/** The error of a whole form; announced when it appears. */
export function FormError({ message }: { message: string | null | undefined }): ReactNode {
  return (
    <div role="alert">
      {message ? <p className="bg-bad-soft text-bad rounded-md px-3 py-2">{message}</p> : null}
    </div>
  );
}
