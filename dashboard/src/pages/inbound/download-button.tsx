// Downloads a file of the API. It is never opened in the dashboard.

import { Download } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';

import { saveFile } from '../../graphql/rest-file.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';

/** `path` is a REST path; `file` is the name to save as. */
export function DownloadButton({
  path,
  file,
  name,
  size = 'medium',
  children,
}: {
  path: string;
  file: string;
  /** The name for screen readers, when the text does not name the file. */
  name?: string;
  size?: 'medium' | 'small';
  children: ReactNode;
}): ReactNode {
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const save = async () => {
    setBusy(true);
    try {
      await saveFile(path, file);
    } catch (error) {
      // A lost connection is a TypeError with a text of the browser.
      const text = error instanceof Error && !(error instanceof TypeError) ? error.message : null;
      toast(text ?? 'The file could not be downloaded. Check your connection and try again.', 'bad');
    }
    setBusy(false);
  };
  return (
    <Button icon={Download} size={size} busy={busy} aria-label={name} onClick={() => void save()}>
      {children}
    </Button>
  );
}
