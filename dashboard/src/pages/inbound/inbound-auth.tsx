// What SPF, DKIM and DMARC said: recorded, never enforced, so people must see it.

import type { ReactNode } from 'react';

import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { resultSentence, resultTone, type Auth } from './auth-words.ts';

const CHECKS = [
  { key: 'dmarc', label: 'DMARC' },
  { key: 'spf', label: 'SPF' },
  { key: 'dkim', label: 'DKIM' },
] as const;

export function InboundAuth({ auth }: { auth: Auth }): ReactNode {
  return (
    <Card title="Sender checks" description="Recorded, never enforced: mail that fails is kept too.">
      {auth === null ? (
        <p className="text-muted">Nothing could be checked.</p>
      ) : (
        <dl className="space-y-3">
          {CHECKS.map(({ key, label }) => (
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
