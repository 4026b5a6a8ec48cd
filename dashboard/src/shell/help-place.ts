// Which document the header of a page links to.

import { createContext } from 'react';

import type { DocPlace } from './help.ts';

/** That of the page that is shown; null where there is none. */
export const HelpPlace = createContext<DocPlace | null>(null);
