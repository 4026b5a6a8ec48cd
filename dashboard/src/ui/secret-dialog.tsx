// A secret that is shown once, with a way to copy it.

import type { ReactNode } from 'react';

import { Button } from './button.tsx';
import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog, DialogFooter } from './dialog.tsx';

/** Open while there is a `secret`. `name` is what it is called: "API key". */
export function SecretDialog({
  secret,
  name,
  title,
  description,
  copyLabel,
  onClose,
}: {
  secret: string | null;
  name: string;
  title: string;
  description: string;
  copyLabel: string;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog open={secret !== null} onClose={onClose} title={title} description={description} width="medium">
      {secret === null ? null : (
        <>
          <CodeBlock code={secret} label={name} wrap />
          <DialogFooter>
            <CopyButton value={secret} label={copyLabel} />
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}
