// The filter by event type.

import type { ReactNode } from 'react';

import { cx } from '../../ui/class-names.ts';
import { EVENT_TYPES, type EventType } from './event-words.ts';

/** Toggle buttons; none pressed means all types. */
export function TypeFilter({
  chosen,
  onChange,
}: {
  chosen: readonly EventType[];
  onChange: (chosen: readonly EventType[]) => void;
}): ReactNode {
  const toggle = (type: EventType) =>
    onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]);
  return (
    <div role="group" aria-label="Event types" className="flex flex-wrap gap-2">
      <Chip on={chosen.length === 0} onClick={() => onChange([])}>
        All
      </Chip>
      {EVENT_TYPES.map(({ value, label }) => (
        <Chip key={value} on={chosen.includes(value)} onClick={() => toggle(value)}>
          {label}
        </Chip>
      ))}
    </div>
  );
}

function Chip({
  on,
  onClick,
  children,
}: {
  on: boolean;
  onClick: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={cx(
        'rounded-full border px-3 py-1 text-[13px]',
        on
          ? 'border-accent bg-accent-soft text-accent-strong font-medium'
          : 'bg-surface text-muted hover:text-ink',
      )}
    >
      {children}
    </button>
  );
}
