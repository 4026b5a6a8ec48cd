// Sender rules, each with what was found and what to do. What fails comes first; what passes is folded.

import type { ReactNode } from 'react';

import { StatusBadge } from '../../ui/badge.tsx';
import { Code } from '../../ui/code-block.tsx';

const ORDER = ['fail', 'warn', 'pass'] as const;

/** One check as the API gives it. */
export interface ShownCheck {
  id: string;
  status: (typeof ORDER)[number];
  found: string;
  expected: string;
  fix: string | null;
  docs: string;
}

const TITLES: Record<string, string> = {
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  alignment: 'Alignment with From',
  return_path: 'Return path',
  one_click: 'One-click unsubscribe',
  reverse_dns: 'Reverse DNS',
  tls: 'TLS',
  tracking_host: 'Tracking host',
  free_mail: 'Own domain in From',
  visible_unsubscribe: 'Visible unsubscribe link',
  variables: 'Template variables',
  size: 'Size',
  links: 'Links',
  audience: 'Audience',
};

/** The list. */
export function CheckList({ checks }: { checks: readonly ShownCheck[] }): ReactNode {
  const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const passed = sorted.filter(({ status }) => status === 'pass');
  const failed = sorted.filter(({ status }) => status !== 'pass');
  return (
    <div className="space-y-3">
      {failed.length === 0 ? null : <Checks label="Sender rules" checks={failed} />}
      {passed.length === 0 ? null : (
        <details>
          <summary className="text-muted cursor-pointer">
            {passed.length} {passed.length === 1 ? 'check' : 'checks'} passed
          </summary>
          <div className="mt-3">
            <Checks label="Passed" checks={passed} />
          </div>
        </details>
      )}
    </div>
  );
}

function Checks({ label, checks }: { label: string; checks: readonly ShownCheck[] }): ReactNode {
  return (
    <ul className="divide-y" aria-label={label}>
      {checks.map((check) => (
        <li key={check.id} className="py-2.5 first:pt-0 last:pb-0">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <StatusBadge status={check.status} />
            <span className="font-medium">{TITLES[check.id] ?? check.id.replaceAll('_', ' ')}</span>
          </div>
          <p className="mt-1 [overflow-wrap:anywhere]">{check.found}</p>
          {check.status === 'pass' ? null : (
            <p className="text-muted mt-0.5 text-[13px] [overflow-wrap:anywhere]">
              Expected: {check.expected}. {check.fix} See <Code>{check.docs}</Code>.
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
