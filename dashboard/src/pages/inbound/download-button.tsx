// Saving a file that the api has, as a download: it is never opened in the dashboard.

import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';

import { saveFile } from '../../graphql/rest-file.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';

/** The button. `path` is of REST; `file` is the name to save as. */
export function DownloadButton({
  path,
  file,
  name,
  size = 'medium',
  children,
}: {
  path: string;
  file: string;
  /** What screen readers say, when the text alone does not say which file. */
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
      // A broken line is a TypeError with words of the browser.
      const said = error instanceof Error && !(error instanceof TypeError) ? error.message : null;
      toast(said ?? 'The file could not be downloaded. Check your connection and try again.', 'bad');
    }
    setBusy(false);
  };
  return (
    <Button icon={Download} size={size} busy={busy} aria-label={name} onClick={() => void save()}>
      {children}
    </Button>
  );
}
