// Copying to the clipboard.

import { Check, Copy } from '../gen/icons.ts';
import { useEffect, useState, type ReactNode } from 'react';

import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { useToast } from './toast.tsx';

const SHOWN_MS = 2_000;

/** Copies `value`. With `label` a button with text, else an icon named `name`. `onCopied` runs once it is copied. */
export function CopyButton({
  value,
  label,
  name = 'Copy',
  onCopied,
}: {
  value: string;
  label?: string;
  name?: string;
  onCopied?: (() => void) | undefined;
}): ReactNode {
  const [copied, setCopied] = useState(false);
  const toast = useToast();
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => {
        setCopied(true);
        onCopied?.();
        toast('Copied');
      },
      () => toast('The browser did not allow copying. Select the text and copy it.', 'bad'),
    );
  };
  const icon = copied ? Check : Copy;
  if (label === undefined) return <IconButton label={name} icon={icon} onClick={copy} />;
  return (
    <Button icon={icon} onClick={copy}>
      {label}
    </Button>
  );
}
