// What everybody needs once, until it is done or hidden: a domain, a key, the first call, a webhook, DMARC, the team.

import { ArrowRight, Check } from '../../gen/icons.ts';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { Link } from 'wouter';

import { HideFirstStepsDocument } from '../../gen/pages/overview/first-steps.ts';
import { errorText } from '../../graphql/error-text.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { stepsOf, type Step } from './step-list.ts';
import { useFirstSteps } from './use-first-steps.ts';

const FirstCallPanel = lazy(async () => ({ default: (await import('./first-call.tsx')).FirstCallPanel }));
const POLL_MS = 15_000; // records and a first call are noticed without a click

/** Nothing for viewers, and nothing once all is done or hidden. */
export function FirstSteps(): ReactNode {
  const { isOwner } = useViewer();
  const { done, again } = useFirstSteps();
  const [, hide] = useMutation(HideFirstStepsDocument);
  const [chosen, setChosen] = useState<string | null>(null);
  const toast = useToast();
  const steps = done ? stepsOf(done, isOwner) : [];
  const left = steps.filter((step) => !step.done);
  const shown = done !== null && !done.hidden && left.length > 0;
  usePoll(shown, POLL_MS, again);
  if (!shown) return null;
  const open = steps.find(({ id }) => id === chosen) ?? left[0];
  const hideAll = async () => {
    const { error } = await hide({}, { additionalTypenames: ['FirstSteps'] });
    if (error) toast(errorText(error), 'bad');
  };
  return (
    <Card
      title="First steps"
      description={`${steps.length - left.length} of ${steps.length} done. This list goes away when all are.`}
      actions={
        <Button size="small" variant="quiet" onClick={() => void hideAll()}>
          Hide
        </Button>
      }
    >
      <ol className="divide-y" aria-label="First steps">
        {steps.map((step, at) => (
          <StepRow
            key={step.id}
            step={step}
            number={at + 1}
            open={step === open}
            onOpen={() => setChosen(step.id)}
            example={done}
          />
        ))}
      </ol>
      <p className="text-muted mt-4 border-t pt-4">
        No program yet?{' '}
        <Link href="/send" className="text-accent-strong hover:underline">
          Send a message from here
        </Link>{' '}
        or{' '}
        <Link href="/campaigns/new" className="text-accent-strong hover:underline">
          start a campaign
        </Link>
        .
      </p>
    </Card>
  );
}

function StepRow({
  step,
  number,
  open,
  onOpen,
  example,
}: {
  step: Step;
  number: number;
  open: boolean;
  onOpen: () => void;
  example: { sendingDomain: string | null; caFile: string | null };
}): ReactNode {
  const { id, title, text, done, href, action } = step;
  return (
    <li className="py-1">
      <button
        type="button"
        aria-expanded={open}
        onClick={onOpen}
        className="hover:bg-subtle/60 flex w-full items-center gap-3 rounded-md px-2 py-2 text-left"
      >
        <span
          className={cx(
            'grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold',
            done ? 'bg-good-soft text-good' : open ? 'bg-accent text-on-accent' : 'bg-subtle text-muted',
          )}
        >
          {done ? <Check size={14} role="img" aria-label="Done" /> : number}
        </span>
        <span className={cx('font-medium', done && 'text-muted')}>{title}</span>
      </button>
      {open ? (
        <div className="mt-1 mb-3 pl-11">
          <p className="text-muted mb-3 max-w-2xl">{text}</p>
          {id === 'call' ? (
            <Suspense fallback={<Skeleton className="h-112 w-full" />}>
              <FirstCallPanel sendingDomain={example.sendingDomain} caFile={example.caFile} />
            </Suspense>
          ) : (
            <ButtonLink href={href} variant={done ? 'secondary' : 'primary'} icon={ArrowRight}>
              {action}
            </ButtonLink>
          )}
        </div>
      ) : null}
    </li>
  );
}
