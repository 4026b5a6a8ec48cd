// Tabs inside a page.

import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

/** One tab. Its content is made only while it is shown. */
export interface Tab {
  id: string;
  label: ReactNode;
  content: ReactNode;
}

/** A row of tabs with what they show. Without `value` it keeps the choice itself. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string;
  tabs: readonly Tab[];
  value?: string;
  onChange?: (id: string) => void;
}): ReactNode {
  const first = tabs[0]?.id ?? '';
  return (
    <RadixTabs.Root
      {...(value === undefined ? { defaultValue: first } : { value })}
      {...(onChange && { onValueChange: onChange })}
    >
      <RadixTabs.List
        aria-label={label}
        className="mb-5 flex gap-5 overflow-x-auto border-b [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.id}
            value={tab.id}
            className="text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink border-b-2 border-transparent py-2 font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]"
          >
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.id} value={tab.id} className="outline-offset-4">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
