// The side navigation.

import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

import { useViewer } from '../graphql/viewer.tsx';
import { cx } from '../ui/class-names.ts';
import { currentItem, NAV_GROUPS } from './nav-items.ts';

/** Links to the pages that the signed-in person may see. */
export function SideNav(): ReactNode {
  const viewer = useViewer();
  const [location] = useLocation();
  const current = currentItem(location);
  const groups = NAV_GROUPS.filter(
    (group) => group.for === 'everyone' || (group.for === 'owner' ? viewer.isOwner : viewer.isSuperAdmin),
  );
  return (
    <nav aria-label="Main" className="space-y-5 px-3 py-5">
      {groups.map((group) => (
        <div key={group.label}>
          <p className="text-muted px-2.5 pb-1.5 text-xs font-medium">{group.label}</p>
          <ul className="space-y-px">
            {group.items
              .filter(({ writes }) => viewer.canWrite || writes !== true)
              .map(({ path, label, icon: Icon }) => (
                <li key={path}>
                  <Link
                    href={path}
                    aria-current={path === current ? 'page' : undefined}
                    className={cx(
                      'flex items-center gap-2.5 rounded-md px-2.5 py-1.5',
                      path === current
                        ? 'bg-accent-soft text-accent-strong font-medium'
                        : 'text-muted hover:bg-subtle hover:text-ink',
                    )}
                  >
                    <Icon size={16} aria-hidden="true" />
                    {label}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
