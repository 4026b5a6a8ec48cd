// The three first steps, for a tenant that has sent nothing yet.

import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/class-names.ts';

/** Highlights the next step. `verified`: there is a domain to send from. */
export function FirstSteps({ verified }: { verified: boolean }): ReactNode {
  const steps = [
    {
      title: 'Verify a domain',
      text: 'Add the domain you send from and publish its DNS records. We check them automatically.',
      href: '/domains',
      action: 'Add a domain',
      done: verified,
    },
    {
      title: 'Send a test message',
      text: 'Send to a simulator address and follow the message until its final status.',
      href: '/send',
      action: 'Send a test',
      done: false,
    },
    {
      title: 'Start a campaign',
      text: 'Import your contacts and send to all of them. Warm-up spreads the campaign over several days if needed.',
      href: '/campaigns/new',
      action: 'New campaign',
      done: false,
    },
  ];
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Card
      title="Nothing sent in the last 30 days"
      description="Follow these steps to send your first message. Statistics appear here once you send."
    >
      <ol className="grid gap-4 lg:grid-cols-3">
        {steps.map(({ title, text, href, action, done }, at) => (
          <li
            key={title}
            className={cx(
              'flex flex-col rounded-lg border p-4',
              at === next && 'border-accent bg-accent-soft/50',
            )}
          >
            <span
              className={cx(
                'grid size-7 place-items-center rounded-full text-[13px] font-semibold',
                done
                  ? 'bg-good-soft text-good'
                  : at === next
                    ? 'bg-accent text-on-accent'
                    : 'bg-subtle text-muted',
              )}
            >
              {done ? <Check size={15} role="img" aria-label="Done" /> : at + 1}
            </span>
            <h3 className="mt-3 font-semibold">{title}</h3>
            <p className={cx('mt-1 mb-4 flex-1', at === next ? 'text-ink' : 'text-muted')}>{text}</p>
            <div>
              <ButtonLink href={href} variant={at === next ? 'primary' : 'secondary'}>
                {action}
              </ButtonLink>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
