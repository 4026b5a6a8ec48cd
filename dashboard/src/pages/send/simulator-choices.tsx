// The simulator's addresses. Each behaves as its name says, so that every outcome can be seen without real mail.

import type { ReactNode } from 'react';

import { cx } from '../../ui/class-names.ts';

const CHOICES = [
  { local: 'delivered', what: 'is taken at once' },
  { local: 'bounced', what: 'is refused for good (550), and the address is suppressed' },
  { local: 'softbounced', what: 'is refused once (452), then taken' },
  { local: 'dsn', what: 'is taken, then a report says it could not be delivered' },
  { local: 'complained', what: 'is taken, then reported as spam' },
  { local: 'deferred', what: 'is put off for ever (421)' },
  { local: 'slow', what: 'is taken after 30 seconds' },
] as const;
const DOMAIN = 'simulator.test';

/** What the form starts with. */
export const DEFAULT_RECIPIENT = `delivered@${DOMAIN}`;

/** The addresses as buttons. */
export function SimulatorChoices({
  value,
  onChange,
}: {
  value: string;
  onChange: (address: string) => void;
}): ReactNode {
  return (
    <div role="group" aria-label="Addresses of the simulator" className="space-y-1">
      <p className="text-muted text-[13px]">
        Or choose what should happen. Add a +label to an address to use it again after a bounce or complaint.
      </p>
      <ul className="divide-y rounded-md border">
        {CHOICES.map(({ local, what }) => {
          const address = `${local}@${DOMAIN}`;
          return (
            <li key={local}>
              <button
                type="button"
                aria-pressed={value === address}
                onClick={() => onChange(address)}
                className={cx(
                  'flex w-full flex-wrap gap-x-3 px-3 py-1.5 text-left text-[13px] focus-visible:outline-offset-[-2px]',
                  value === address ? 'bg-accent-soft' : 'hover:bg-subtle',
                )}
              >
                <span className="font-mono">{local}@</span>
                <span className={value === address ? '' : 'text-muted'}>{what}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
