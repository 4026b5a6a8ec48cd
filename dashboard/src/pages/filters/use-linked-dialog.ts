// A dialog of a page that a link elsewhere opens, for example from the first steps: `/api-keys?add`.

import { useState } from 'react';

const PARAMETER = 'add';

/** The address of a page with its dialog open. */
export function withDialog(path: string): string {
  return `${path}?${PARAMETER}`;
}

/** Whether the page's main dialog is open, and the function that opens and closes it. The address opens it if `allowed`. */
export function useLinkedDialog(allowed = true): [open: boolean, setOpen: (open: boolean) => void] {
  return useState(() => allowed && new URLSearchParams(location.search).has(PARAMETER));
}
