// React.lazy wants default exports; our pages are named ones.

import { lazy, type ComponentType } from 'react';

import type { FirstQuery } from './graphql/first-query.ts';

/** A page, and how its script is fetched before it is shown. */
export type LazyPage = ComponentType & {
  load(): Promise<{ firstQuery?: FirstQuery }>;
};

/** A page that is loaded when it is first shown: `lazyPage(() => import('./pages/x.tsx'), 'XPage')`. */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType> & { firstQuery?: FirstQuery }>,
  name: Name,
): LazyPage {
  const page = lazy<ComponentType>(async () => ({ default: (await load())[name] }));
  return Object.assign(page as unknown as ComponentType, { load });
}
