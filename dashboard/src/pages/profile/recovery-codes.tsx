// Recovery codes, shown once.

import type { ReactNode } from 'react';

import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';

/** The codes with a way to copy them. */
export function RecoveryCodes({
  codes,
  onDone,
}: {
  codes: readonly string[];
  onDone: () => void;
}): ReactNode {
  return (
    <div className="space-y-4">
      <p className="text-muted">
        Store these recovery codes somewhere safe. Each can be used once instead of a code, if you lose your
        phone. They are not shown again.
      </p>
      <CodeBlock label="Recovery codes" code={codes.join('\n')} />
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </div>
  );
}
