// The layout of the pages that need no sign-in.

import { useEffect, type ReactNode } from 'react';

import { Logo } from '../../shell/logo.tsx';

/** A small card in the middle of the page. */
export function EntryFrame({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · Postrider`;
  }, [title]);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center px-5 py-12">
      <div className="mb-6 flex items-center gap-2.5 text-base font-semibold">
        <Logo size={28} />
        Postrider
      </div>
      <div className="bg-surface shadow-card rounded-xl border p-6">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {description === undefined ? null : <p className="text-muted mt-1">{description}</p>}
        <div className="mt-5">{children}</div>
      </div>
    </main>
  );
}
