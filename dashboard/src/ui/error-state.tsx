// What a place shows that could not be read.

import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';

import { errorText } from '../graphql/error-text.ts';
import { Button } from './button.tsx';

/** The api's own words, and another try. */
export function ErrorState({ error, onRetry }: { error: CombinedError; onRetry?: () => void }): ReactNode {
  return (
    <div role="alert" className="px-6 py-12 text-center">
      <CircleAlert size={22} className="text-bad mx-auto" aria-hidden="true" />
      <p className="mt-3 font-semibold">This could not be loaded</p>
      <p className="text-muted mx-auto mt-1 max-w-md">{errorText(error)}</p>
      {onRetry ? (
        <Button className="mt-5" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
