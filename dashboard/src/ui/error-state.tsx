// Shown in place of data that could not be loaded.

import { CircleExclamationPoint } from '../gen/icons.ts';
import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';

import { errorText } from '../graphql/error-text.ts';
import { Button } from './button.tsx';

/** The error as text, with a retry button. */
export function ErrorState({ error, onRetry }: { error: CombinedError; onRetry?: () => void }): ReactNode {
  return (
    <div role="alert" className="px-6 py-12 text-center">
      <CircleExclamationPoint size={22} className="text-bad mx-auto" aria-hidden="true" />
      <p className="mt-3 font-semibold">Loading failed</p>
      <p className="text-muted mx-auto mt-1 max-w-md">{errorText(error)}</p>
      {onRetry ? (
        <Button className="mt-5" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
