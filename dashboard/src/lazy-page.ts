// React.lazy wants default exports; our pages are named ones.

import { lazy, type ComponentType } from 'react';

/** A page that is loaded when it is first shown: `lazyPage(() => import('./pages/x.tsx'), 'XPage')`. */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType {
  return lazy<ComponentType>(async () => ({ default: (await load())[name] }));
}
