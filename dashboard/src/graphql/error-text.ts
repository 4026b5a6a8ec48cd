// Errors of the API as text.

import type { CombinedError } from 'urql';

/** The error as one sentence. */
export function errorText(error: CombinedError): string {
  if (error.networkError) return 'The server cannot be reached. Check your connection and try again.';
  return error.graphQLErrors[0]?.message ?? 'Something went wrong. Try again.';
}

/**
 * A problem of one field as a sentence. The API's message continues the name of the field ("must be a number"), unless it
 * is a sentence already.
 */
export function fieldSentence(label: string, message: string): string {
  const problem = message === 'must not be empty' ? 'is required' : message;
  const text = /^[a-z]/.test(problem) ? `${label} ${problem}` : problem;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A field's path as a label, for problems of fields that the form does not show: `totalRecipients` as "Total recipients". */
export function pathLabel(path: string): string {
  const words = path.replaceAll('.', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The problems of several fields as sentences. */
export function fieldSentences(details: readonly { path: string; message: string }[]): string {
  return details.map(({ path, message }) => fieldSentence(pathLabel(path), message)).join(' ');
}

/** The problems of single fields of `input`: their path in camelCase without `input.`, and a message. */
export function fieldErrors(error: CombinedError | undefined): { path: string; message: string }[] {
  const details = error?.graphQLErrors[0]?.extensions['details'];
  if (!Array.isArray(details)) return [];
  return details.flatMap((detail: unknown) => {
    const { path, message } = detail as { path?: unknown; message?: unknown };
    if (typeof message !== 'string') return [];
    return [{ path: camelCase(typeof path === 'string' ? path : ''), message }];
  });
}

// The API names `first_name` and `variables[0].name`; forms name `firstName` and `variables.0.name`.
function camelCase(path: string): string {
  return path
    .replace(/^input\./, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
