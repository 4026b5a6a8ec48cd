// The top of a page.

import { ChevronLeft, CircleQuestionMark } from '../gen/icons.ts';
import { useContext, useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';

import { HelpPlace } from '../shell/help-place.ts';

/** The page's one h1, what the page is for, its main actions, its document, and the way back of a page below another. */
export function PageHeader({
  title,
  description,
  actions,
  back,
  badge,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
  badge?: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · Postrider`;
  }, [title]);
  return (
    <header className="mb-6">
      {back ? (
        <Link
          href={back.href}
          className="text-muted hover:text-ink mb-2 inline-flex items-center gap-1 rounded text-[13px]"
        >
          <ChevronLeft size={14} aria-hidden="true" />
          {back.label}
        </Link>
      ) : null}
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2.5">
            <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">{title}</h1>
            {badge}
          </div>
          {description === undefined ? null : <p className="text-muted mt-1 max-w-3xl">{description}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {actions}
          <HelpLink />
        </div>
      </div>
    </header>
  );
}

// In a tab of its own: what is typed on the page stays.
function HelpLink(): ReactNode {
  const place = useContext(HelpPlace);
  if (place === null) return null;
  return (
    <a
      href={`/docs/${place}`}
      target="_blank"
      className="text-muted hover:text-ink inline-flex items-center gap-1.5 rounded-md px-1.5 py-1 text-[13px]"
    >
      <CircleQuestionMark size={15} aria-hidden="true" />
      Help
      <span className="sr-only"> with this page, in a new tab</span>
    </a>
  );
}
