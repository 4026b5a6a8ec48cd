// A secret that is shown once, with a way to copy it. Escape, the cross and a click beside the dialog do not lose it: while it
// was not copied they ask first.

import { useState, type ReactNode } from 'react';

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
  const [copied, setCopied] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    onClose();
  };
  const keep = () => {
    setCopied(secret);
    setAsking(false);
  };
  return (
    <Dialog
      open={secret !== null}
      onClose={() => (secret === copied ? close() : setAsking(true))}
      title={title}
      description={description}
      width="medium"
    >
      {secret === null ? null : (
        <>
          <CodeBlock code={secret} label={name} wrap onCopied={keep} />
          <div role="alert">
            {asking ? (
              <p className="bg-warn-soft text-warn mt-4 rounded-md px-3 py-2">
                You have not copied the {name} yet. Once this is closed, nobody can show it again.
              </p>
            ) : null}
          </div>
          <DialogFooter>
            {asking ? <Button onClick={close}>Close without copying</Button> : null}
            <CopyButton value={secret} label={copyLabel} onCopied={keep} />
            {asking ? null : (
              <Button variant="primary" onClick={close}>
                Done
              </Button>
            )}
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}
