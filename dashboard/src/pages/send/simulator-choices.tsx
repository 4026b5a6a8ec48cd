// The simulator's addresses, one for each outcome, so that every outcome can be tested without real mail.

import type { ReactNode } from 'react';

import { cx } from '../../ui/class-names.ts';

const CHOICES = [
  { local: 'delivered', what: 'accepted immediately' },
  { local: 'bounced', what: 'bounced (permanent, 550); the address is suppressed' },
  { local: 'softbounced', what: 'deferred once (452), then accepted' },
  { local: 'dsn', what: 'accepted, then bounced by a delivery status notification' },
  { local: 'complained', what: 'accepted, then reported as spam' },
  { local: 'deferred', what: 'always deferred (421)' },
  { local: 'slow', what: 'accepted after 30 seconds' },
] as const;
const DOMAIN = 'simulator.test';

/** The preset recipient of the form. */
export const DEFAULT_RECIPIENT = `delivered@${DOMAIN}`;

/** The simulator's addresses as buttons. */
export function SimulatorChoices({
  value,
  onChange,
}: {
  value: string;
  onChange: (address: string) => void;
}): ReactNode {
  return (
    <div role="group" aria-label="Simulator addresses" className="space-y-1">
      <p className="text-muted text-[13px]">
        Or choose an outcome. Add a +label to reuse an address after a bounce or complaint.
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
