// The layout around every page: top bar, side navigation (a drawer on small screens), content.

import { Menu, X } from '../gen/icons.ts';
import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

import { useViewer } from '../graphql/viewer.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { KeyboardMap } from './keyboard-map.tsx';
import { Logo } from './logo.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { useScrollPlace } from './place.ts';
import { usePrefetch } from './prefetch.ts';
import { Search } from './search.tsx';
import { SideNav } from './side-nav.tsx';
import { UsagePanel, UsageStrip, useUsage } from './usage.tsx';
import { UserMenu } from './user-menu.tsx';

export function Shell({ children }: { children: ReactNode }): ReactNode {
  const { canWrite, tenant } = useViewer();
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const usage = useUsage();
  const name = pageOf(location);
  useFocusOnNewPage(main, name);
  useScrollPlace(location);
  usePrefetch();
  return (
    <>
      <a
        href="#main"
        className="bg-accent text-on-accent fixed top-2 left-2 z-50 -translate-y-20 rounded-md px-3 py-2 font-medium focus:translate-y-0"
      >
        Skip to content
      </a>
      <KeyboardMap />
      <header className="bg-surface sticky top-0 z-30 flex h-14 items-center gap-3 border-b px-4">
        <Drawer location={location} />
        <Link
          href="/"
          className="flex items-center gap-2 rounded-md font-semibold"
          aria-label="Postrider, overview"
        >
          <Logo />
          <span>Postrider</span>
        </Link>
        <div className="ml-auto flex min-w-0 items-center gap-2">
          <Search />
          <UserMenu />
        </div>
      </header>
      <OfflineNotice />
      <UsageStrip parts={usage} />
      <div className="flex">
        <aside className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] w-56 shrink-0 flex-col border-r lg:flex">
          <div className="flex-1 overflow-y-auto">
            <SideNav />
          </div>
          <UsagePanel parts={usage} />
        </aside>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-8 sm:py-8"
        >
          <div key={name} className="mx-auto max-w-6xl">
            {tenant.status === 'suspended' ? (
              <p role="status" className="bg-bad-soft text-bad mb-6 rounded-md px-4 py-2">
                {tenant.name} is suspended: nothing is sent or received. Waiting messages are kept, and expire
                as usual. Contact the operator of this service.
              </p>
            ) : null}
            {canWrite ? null : (
              <p className="bg-note-soft text-note mb-6 rounded-md px-4 py-2">
                You can view {tenant.name} but not change anything. An owner can give you another role.
              </p>
            )}
            {children}
          </div>
        </main>
      </div>
    </>
  );
}

// The steps of the campaign wizard are one page: what is typed there stays, and the wizard moves the focus itself.
function pageOf(location: string): string {
  return /^\/campaigns\/[^/]+\/edit(\/|$)/.test(location) ? 'campaign wizard' : location;
}

// A new page is announced by its focus, as a page load would be; not on the first one.
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>, location: string): void {
  const last = useRef(location);
  useEffect(() => {
    if (last.current === location) return;
    last.current = location;
    main.current?.focus({ preventScroll: true });
  }, [main, location]);
}

function Drawer({ location }: { location: string }): ReactNode {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [location]);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <IconButton label="Open navigation" icon={Menu} className="-ml-2 lg:hidden" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40 lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          className="bg-surface shadow-float fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] overflow-y-auto outline-none lg:hidden"
        >
          <div className="flex h-14 items-center justify-between px-4">
            <Dialog.Title className="flex items-center gap-2 font-semibold">
              <Logo />
              Postrider
            </Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label="Close navigation" icon={X} />
            </Dialog.Close>
          </div>
          <SideNav />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
