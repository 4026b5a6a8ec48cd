// The steps of the campaign wizard, as a row of buttons.

import type { ReactNode } from 'react';

import { cx } from '../../ui/class-names.ts';

/** All steps, in order. */
export const STEPS = [
  { id: 'audience', label: 'Audience' },
  { id: 'content', label: 'Content' },
  { id: 'sender', label: 'Sender' },
  { id: 'review', label: 'Review' },
] as const;

/** The id of a step. */
export type StepId = (typeof STEPS)[number]['id'];

/** The step of an address; the first one for whatever is none. */
export function stepOf(text: string | undefined): StepId {
  return STEPS.find(({ id }) => id === text)?.id ?? 'audience';
}

/** The step that has a field of the campaign. */
export function stepOfField(field: string): StepId {
  if (field === 'name' || field === 'audience') return 'audience';
  return field === 'from' || field === 'replyTo' ? 'sender' : 'content';
}

/** The steps as a row of buttons. */
export function WizardSteps({ current, onGo }: { current: StepId; onGo: (step: StepId) => void }): ReactNode {
  return (
    <nav aria-label="Steps">
      <ol className="flex flex-wrap gap-x-5 gap-y-2">
        {STEPS.map(({ id, label }, at) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === current ? 'step' : undefined}
              onClick={() => onGo(id)}
              className={cx(
                'inline-flex items-center gap-2 rounded-md py-1 font-medium',
                id === current ? 'text-ink' : 'text-muted hover:text-ink',
              )}
            >
              <span
                aria-hidden="true"
                className={cx(
                  'grid size-6 place-items-center rounded-full text-[13px]',
                  id === current ? 'bg-accent text-on-accent' : 'bg-subtle',
                )}
              >
                {at + 1}
              </span>
              {label}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
