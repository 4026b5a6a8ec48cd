// Shown in place of data that could not be loaded.

import { CircleExclamationPoint } from '../gen/icons.ts';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import type { CombinedError } from 'urql';

import { errorCode } from '../graphql/client.ts';
import { errorText } from '../graphql/error-text.ts';
import { Button } from './button.tsx';

const AGAIN_MS = 5_000;

/** The error as text, with a retry button. While the service is unavailable it also retries by itself. */
export function ErrorState({ error, onRetry }: { error: CombinedError; onRetry?: () => void }): ReactNode {
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    if (errorCode(error) !== 'unavailable') return undefined;
    const timer = setTimeout(retry, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error]);
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
