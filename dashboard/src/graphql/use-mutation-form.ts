// A form that runs one mutation: while it runs, what the api says about single fields, what it says about the whole.

import { useRef, useState, type FormEvent } from 'react';
import type { AnyVariables, CombinedError, OperationContext, TypedDocumentNode } from 'urql';

import { errorCode } from './client.ts';
import { errorText, fieldErrors, fieldSentences } from './error-text.ts';
import { useConfirmedMutation } from './use-confirmed-mutation.ts';

/** What `useMutationForm` gives. */
export interface MutationForm<Data, Variables> {
  running: boolean;
  /** What is wrong with the whole, in words, or null. */
  error: string | null;
  /** The code of what is wrong, or null. */
  code: string | null;
  /**
   * What is wrong with a field, by its name as in `input` (camelCase, `variables.0.name` for nested ones). With `onSubmit` only while the
   * field has the value that was refused.
   */
  fieldError(name: string): string | undefined;
  /** Runs the mutation. Resolves to its data, or null when it was refused (the errors are then set). */
  run(variables: Variables): Promise<Data | null>;
  /** For `<form onSubmit>`: keeps the browser from sending it and runs the mutation. */
  onSubmit(variables: () => Variables, then: (data: Data) => void): (event: FormEvent) => void;
  /** Takes all errors away. */
  reset(): void;
}

/**
 * Binds a mutation to a form. `fields` are those that show their own errors; others go to the form's error. `context`
 * goes to urql, for `additionalTypenames`.
 */
export function useMutationForm<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  fields: readonly string[] = [],
  context?: Partial<OperationContext>,
): MutationForm<Data, Variables> {
  const [fetching, execute] = useConfirmedMutation(document);
  const [failed, setFailed] = useState<CombinedError | undefined>();
  const details = fieldErrors(failed);
  const refused = useRef<Variables | null>(null);
  const shown = useRef<(() => Variables) | null>(null); // of the form, as `onSubmit` was given it last
  const isChanged = (path: string) => {
    if (failed === undefined || !refused.current || !shown.current) return false;
    const [field = ''] = path.split('.');
    return textOf(refused.current, field) !== textOf(shown.current(), field);
  };
  const own = (path: string) => fields.some((field) => path === field || path.startsWith(`${field}.`));
  const others = details.filter(({ path }) => !own(path));

  const run = async (variables: Variables): Promise<Data | null> => {
    setFailed(undefined);
    refused.current = variables;
    const result = await execute(variables, context);
    setFailed(result.error);
    return result.error ? null : (result.data ?? null);
  };
  return {
    running: fetching,
    error: failed === undefined ? null : formError(failed, details.length, others),
    code: failed === undefined ? null : errorCode(failed),
    fieldError: (name) =>
      details.find(({ path }) => (path === name || path.startsWith(`${name}.`)) && !isChanged(path))?.message,
    run,
    onSubmit: (variables, then) => {
      shown.current = variables;
      return (event) => {
        event.preventDefault();
        if (!fetching) void run(variables()).then((data) => data !== null && then(data));
      };
    },
    reset: () => setFailed(undefined),
  };
}

function textOf(variables: AnyVariables, field: string): string | undefined {
  const { input } = (variables ?? {}) as { input?: Record<string, unknown> };
  return JSON.stringify(input?.[field]);
}

function formError(
  error: CombinedError,
  details: number,
  others: { path: string; message: string }[],
): string | null {
  if (details === 0) return errorText(error);
  if (others.length === 0) return null;
  return fieldSentences(others);
}
