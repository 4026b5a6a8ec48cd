// A short explanation at the pointer or at keyboard focus. Never the only place of something that matters.

import { Tooltip as RadixTooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** Once around the whole page. */
export function TooltipProvider({ children }: { children: ReactNode }): ReactNode {
  return <RadixTooltip.Provider delayDuration={250}>{children}</RadixTooltip.Provider>;
}

/** `children` must be one element that can have focus: a button, a link, or something with tabIndex 0. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }): ReactNode {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="bg-ink text-ground z-50 max-w-72 rounded-md px-2.5 py-1.5 text-[13px]"
        >
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
