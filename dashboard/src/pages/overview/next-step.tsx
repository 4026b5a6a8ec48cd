// The next of the first steps, on the page where one was just done.

import { ArrowRight } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { useViewer } from '../../graphql/viewer.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { stepsOf } from './step-list.ts';
import { useFirstSteps } from './use-first-steps.ts';

/** Nothing once all steps are done or hidden, and for viewers. */
export function NextStep(): ReactNode {
  const { isOwner } = useViewer();
  const { done } = useFirstSteps();
  if (done === null || done.hidden) return null;
  const next = stepsOf(done, isOwner).find((step) => !step.done);
  if (!next) return null;
  return (
    <section
      aria-label="Next step"
      className="flex flex-wrap items-center justify-between gap-3 rounded-md border px-4 py-3"
    >
      <p>
        <span className="font-medium">Next: {next.title}.</span>{' '}
        <span className="text-muted">{next.text}</span>
      </p>
      <ButtonLink href={next.href} variant="primary" icon={ArrowRight}>
        {next.action}
      </ButtonLink>
    </section>
  );
}
