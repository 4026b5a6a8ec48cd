// The SPF, DKIM and DMARC results, and ARC where a server sealed the message. They are recorded but never enforced, so they must be visible.

import type { ReactNode } from 'react';

import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { resultSentence, resultTone, type Auth } from './auth-words.ts';

const CHECKS = [
  { key: 'dmarc', label: 'DMARC' },
  { key: 'spf', label: 'SPF' },
  { key: 'dkim', label: 'DKIM' },
  { key: 'arc', label: 'ARC' },
] as const;

export function InboundAuth({ auth }: { auth: Auth }): ReactNode {
  return (
    <Card title="Authentication" description="SPF, DKIM and DMARC results. Messages that fail are kept too.">
      {auth === null ? (
        <p className="text-muted">The message could not be checked.</p>
      ) : (
        <dl className="space-y-3">
          {CHECKS.filter(({ key }) => key !== 'arc' || auth.arc !== null).map(({ key, label }) => (
            <div key={key}>
              <dt className="flex items-center gap-2 font-medium">
                {label} <Badge tone={resultTone(auth[key])}>{auth[key] ?? 'not checked'}</Badge>
              </dt>
              <dd className="text-muted mt-0.5">{resultSentence(key, auth[key])}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}
