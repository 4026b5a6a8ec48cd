// The three pages about contacts, as tabs that are links.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { cx } from '../../ui/class-names.ts';

const PAGES = [
  { href: '/contacts', label: 'Contacts' },
  { href: '/contacts/lists', label: 'Lists' },
  { href: '/contacts/imports', label: 'Imports' },
] as const;

/** The tabs as links. */
export function ContactTabs({ current }: { current: (typeof PAGES)[number]['href'] }): ReactNode {
  return (
    <nav aria-label="Contacts" className="mb-5 flex gap-5 overflow-x-auto border-b [scrollbar-width:none]">
      {PAGES.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={href === current ? 'page' : undefined}
          className={cx(
            'border-b-2 py-2 font-medium whitespace-nowrap focus-visible:outline-offset-[-2px]',
            href === current ? 'border-accent text-ink' : 'text-muted hover:text-ink border-transparent',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
