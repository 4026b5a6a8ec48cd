// The three pages about inbound mail, as tabs that are links.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { cx } from '../../ui/class-names.ts';

const PAGES = [
  { href: '/inbound', label: 'Inbox' },
  { href: '/inbound/mailboxes', label: 'Mailboxes' },
  { href: '/inbound/webhook', label: 'Webhook' },
] as const;

/** The tabs as links. */
export function InboundTabs({ current }: { current: (typeof PAGES)[number]['href'] }): ReactNode {
  return (
    <nav
      aria-label="Inbound mail"
      className="mb-5 flex gap-5 overflow-x-auto border-b [scrollbar-width:none]"
    >
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
