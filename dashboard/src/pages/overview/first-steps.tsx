// What everybody needs once, until it is done or hidden: a domain, a key, the first call, a webhook, DMARC, the team.

import { ArrowRight, Check } from '../../gen/icons.ts';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';
import { Link } from 'wouter';

import {
  FirstStepsDocument,
  HideFirstStepsDocument,
  type FirstStepsQuery,
} from '../../gen/pages/overview/first-steps.ts';
import { errorText } from '../../graphql/error-text.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';

const FirstCallPanel = lazy(async () => ({ default: (await import('./first-call.tsx')).FirstCallPanel }));
const POLL_MS = 15_000; // records and a first call are noticed without a click

type Done = FirstStepsQuery['firstSteps'];

interface Step {
  id: string;
  title: string;
  text: string;
  done: boolean;
  href: string;
  action: string;
  /** Only owners can. */
  owner?: true;
}

/** Nothing for viewers, and nothing once all is done or hidden. */
export function FirstSteps(): ReactNode {
  const { canWrite, isOwner } = useViewer();
  const [{ data }, execute] = useQuery({
    query: FirstStepsDocument,
    variables: {},
    pause: !canWrite,
    context: CHANGES_WITH,
  });
  const [, hide] = useMutation(HideFirstStepsDocument);
  const [chosen, setChosen] = useState<string | null>(null);
  const toast = useToast();
  const done = data?.firstSteps;
  const steps = done ? stepsOf(done).filter((step) => isOwner || !step.owner) : [];
  const left = steps.filter((step) => !step.done);
  const shown = done !== undefined && !done.hidden && left.length > 0;
  usePoll(shown, POLL_MS, () => execute({ requestPolicy: 'network-only' }));
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
            sendingDomain={done.sendingDomain}
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

const CHANGES_WITH = {
  additionalTypenames: ['FirstSteps', 'ApiKey', 'Domain', 'Webhook', 'Invitation', 'User'],
};

function StepRow({
  step,
  number,
  open,
  onOpen,
  sendingDomain,
}: {
  step: Step;
  number: number;
  open: boolean;
  onOpen: () => void;
  sendingDomain: string | null;
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
            <Suspense fallback={<Skeleton className="h-48 w-full" />}>
              <FirstCallPanel sendingDomain={sendingDomain} />
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

function stepsOf(done: Done): Step[] {
  return [
    {
      id: 'domain',
      title: 'Verify the domain you send from',
      text: 'Add it and publish its DNS records. We check for them and verify it automatically.',
      done: done.domain,
      href: '/domains?add',
      action: 'Add a domain',
    },
    {
      id: 'key',
      title: 'Create an API key',
      text: 'Programs sign in with it. You can also create one with the code of the next step.',
      done: done.apiKey,
      href: '/api-keys',
      action: 'Create a key',
      owner: true,
    },
    {
      id: 'call',
      title: 'Make the first API call',
      text: 'Copy the code and run it. This step is done as soon as the call arrives.',
      done: done.apiCalled,
      href: '/',
      action: '',
    },
    {
      id: 'webhook',
      title: 'Receive events by webhook',
      text: 'We send deliveries, bounces, complaints, opens and clicks to your URL.',
      done: done.webhook,
      href: '/webhooks',
      action: 'Add a webhook',
    },
    {
      id: 'dmarc',
      title: 'Publish a DMARC record',
      text: 'Large mailbox providers ask for it. The record is on the page of your domain.',
      done: done.dmarc,
      href: '/domains',
      action: 'Show the record',
    },
    {
      id: 'team',
      title: 'Invite your team',
      text: 'A second owner keeps the account open when somebody is away. Others can be members or viewers.',
      done: done.team,
      href: '/people',
      action: 'Invite somebody',
      owner: true,
    },
  ];
}
