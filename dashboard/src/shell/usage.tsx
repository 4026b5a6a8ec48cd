// What is used of the day's cap and of the month's quota, in sight on every page: at the foot of the navigation, on small
// screens in a strip below the top bar.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';

import { UsageDocument } from '../gen/shell/usage.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { cx } from '../ui/class-names.ts';
import { formatNumber } from '../ui/format-number.ts';
import { formatTime, useTimeZone } from '../ui/zone.ts';

const POLL_MS = 60_000;
const NEAR = 0.8; // of the whole: said in colour from here on

/** One line: what is used of what. */
export interface UsagePart {
  label: string;
  href: string;
  used: number;
  cap: number;
  hint: string;
}

/** The day and the month, read once a minute. Of several domains the day is that of all together. */
export function useUsage(): UsagePart[] {
  const [{ data }, execute] = useQuery({ query: UsageDocument, variables: {} });
  usePoll(true, POLL_MS, () => execute({ requestPolicy: 'network-only' }));
  useTimeZone();
  if (!data) return [];
  const { quota } = data.viewer;
  const verified = data.domains.edges.flatMap((edge) => (edge.node.status === 'verified' ? [edge.node] : []));
  const [only] = verified;
  const sum = (part: 'used' | 'cap') => verified.reduce((total, { warmup }) => total + warmup[part], 0);
  const month = {
    label: 'This month',
    href: '/',
    used: quota.used,
    cap: quota.cap,
    hint: `The plan’s quota. It starts again ${formatTime(new Date(quota.resetsAt), 'minute')}.`,
  };
  if (!only) return [month];
  const day = {
    label: 'Today',
    href: verified.length === 1 ? `/domains/${only.id}` : '/domains',
    used: sum('used'),
    cap: sum('cap'),
    hint: `The warm-up cap of ${verified.length === 1 ? 'your domain' : `your ${verified.length} domains`}, per UTC day.`,
  };
  return [day, month];
}

/** At the foot of the navigation. */
export function UsagePanel({ parts }: { parts: UsagePart[] }): ReactNode {
  const zone = useTimeZone();
  return (
    <div role="group" aria-label="Usage" className="space-y-2.5 border-t px-5 py-3 text-xs">
      {parts.map(({ label, href, used, cap, hint }) => (
        <Link key={label} href={href} title={hint} className="group block rounded">
          <span className="flex justify-between gap-2">
            <span className="text-muted group-hover:text-ink">{label}</span>
            <span className="tabular-nums">{amount(used, cap)}</span>
          </span>
          <span aria-hidden="true" className="bg-subtle mt-1 block h-1 overflow-hidden rounded-full">
            <span
              className={cx('block h-full rounded-full', used >= cap * NEAR ? 'bg-warn' : 'bg-accent')}
              style={{ width: `${Math.min(100, (used / Math.max(cap, 1)) * 100)}%` }}
            />
          </span>
        </Link>
      ))}
      <Link href="/profile" className="text-muted hover:text-ink block rounded">
        Times in {zone.replaceAll('_', ' ')}
      </Link>
    </div>
  );
}

/** On small screens. */
export function UsageStrip({ parts }: { parts: UsagePart[] }): ReactNode {
  if (parts.length === 0) return null;
  return (
    <section
      aria-label="Usage"
      className="bg-surface flex justify-between gap-3 border-b px-4 py-1 text-xs lg:hidden"
    >
      {parts.map(({ label, href, used, cap }) => (
        <Link key={label} href={href} className="rounded whitespace-nowrap">
          <span className="text-muted">{label}</span>{' '}
          <span className={cx('tabular-nums', used >= cap * NEAR && 'text-warn')}>{amount(used, cap)}</span>
        </Link>
      ))}
    </section>
  );
}

function amount(used: number, cap: number): string {
  return `${formatNumber(used)} of ${formatNumber(cap)}`;
}
