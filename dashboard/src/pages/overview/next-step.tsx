// The next of the first steps, on the page where one was just done.

import { ArrowRight } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { FirstStepsDocument } from '../../gen/pages/overview/first-steps.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CHANGES_WITH, stepsOf } from './step-list.ts';

/** Nothing once all steps are done or hidden, and for viewers. */
export function NextStep(): ReactNode {
  const { canWrite, isOwner } = useViewer();
  const [{ data }] = useQuery({
    query: FirstStepsDocument,
    variables: {},
    pause: !canWrite,
    context: CHANGES_WITH,
  });
  if (!data || data.firstSteps.hidden) return null;
  const next = stepsOf(data.firstSteps, isOwner).find(({ done }) => !done);
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
