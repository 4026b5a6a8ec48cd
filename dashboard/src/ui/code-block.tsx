// Code and machine text, with a way to copy it.

import type { ReactNode } from 'react';

import { cx } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

/** A block of code. `wrap` breaks long lines, for keys and DNS values. */
export function CodeBlock({
  code,
  label = 'Code',
  wrap = false,
  onCopied,
}: {
  code: string;
  label?: string;
  wrap?: boolean;
  onCopied?: () => void;
}): ReactNode {
  return (
    <div className="bg-subtle flex items-start gap-1 rounded-md border">
      <pre
        tabIndex={0}
        aria-label={label}
        className={cx(
          'min-w-0 flex-1 overflow-x-auto px-3 py-2.5 font-mono text-[13px]',
          wrap && 'break-all whitespace-pre-wrap',
        )}
      >
        {code}
      </pre>
      <div className="p-1">
        <CopyButton value={code} name={`Copy ${label}`} onCopied={onCopied} />
      </div>
    </div>
  );
}

/** A short piece of code inside a sentence. */
export function Code({ children }: { children: ReactNode }): ReactNode {
  return (
    <code className="bg-subtle rounded px-1 py-0.5 font-mono text-[0.92em] break-words">{children}</code>
  );
}
