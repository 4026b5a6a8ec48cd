// What the api refused, in words for people.

import type { CombinedError } from 'urql';

/** What is wrong, as one sentence. */
export function errorText(error: CombinedError): string {
  if (error.networkError) return 'The server cannot be reached. Check your connection and try again.';
  return error.graphQLErrors[0]?.message ?? 'Something went wrong.';
}

/** What is wrong with single fields of `input`: their path in camelCase without `input.`, and a message. */
export function fieldErrors(error: CombinedError | undefined): { path: string; message: string }[] {
  const details = error?.graphQLErrors[0]?.extensions['details'];
  if (!Array.isArray(details)) return [];
  return details.flatMap((detail: unknown) => {
    const { path, message } = detail as { path?: unknown; message?: unknown };
    if (typeof message !== 'string') return [];
    return [{ path: camelCase(typeof path === 'string' ? path : ''), message }];
  });
}

// The core speaks of `first_name` and `variables[0].name`; forms of `firstName` and `variables.0.name`.
function camelCase(path: string): string {
  return path
    .replace(/^input\./, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
