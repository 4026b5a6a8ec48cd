// What everybody needs once, in this order. A step is offered on the overview, and the next one where the one before was done.

import type { FirstStepsQuery } from '../../gen/pages/overview/first-steps.ts';
import { withDialog } from '../filters/use-linked-dialog.ts';

/** One step. */
export interface Step {
  id: string;
  title: string;
  text: string;
  done: boolean;
  href: string;
  action: string;
  /** Only owners can. */
  owner?: true;
}

/** The steps of a person, in their order. */
export function stepsOf(done: FirstStepsQuery['firstSteps'], isOwner: boolean): Step[] {
  const all: Step[] = [
    {
      id: 'domain',
      title: 'Verify the domain you send from',
      text: 'Add it and publish its DNS records. We check for them and verify it automatically.',
      done: done.domain,
      href: withDialog('/domains'),
      action: 'Add a domain',
    },
    {
      id: 'key',
      title: 'Create an API key',
      text: 'Programs sign in with it. You can also create one with the code of the next step.',
      done: done.apiKey,
      href: withDialog('/api-keys'),
      action: 'Create a key',
      owner: true,
    },
    {
      id: 'call',
      title: 'Make the first API call',
      text: 'Copy the code and run it. This step is done as soon as the call arrives.',
      done: done.apiCalled,
      href: '/',
      action: 'Show the code',
    },
    {
      id: 'webhook',
      title: 'Receive events by webhook',
      text: 'We send deliveries, bounces, complaints, opens and clicks to your URL.',
      done: done.webhook,
      href: withDialog('/webhooks'),
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
      href: withDialog('/people'),
      action: 'Invite somebody',
      owner: true,
    },
  ];
  return all.filter((step) => isOwner || !step.owner);
}
