// Delivery attempts: one block each, with the SMTP conversation as text.

import type { ReactNode } from 'react';

import type { MessageDetailFragment } from '../../gen/pages/messages/message.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';
import { SmtpConversation } from './smtp-conversation.tsx';

export function MessageAttempts({ attempts }: { attempts: MessageDetailFragment['attempts'] }): ReactNode {
  return (
    <Card title="Delivery attempts" description="With the server’s replies, oldest first.">
      {attempts.length === 0 ? (
        <p className="text-muted">No attempts yet.</p>
      ) : (
        <ol className="space-y-4">
          {attempts.map((attempt, at) => (
            <li key={at} className="rounded-md border p-3">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="font-medium">Attempt {at + 1}</span>
                {attempt.smtpCode === null ? (
                  <Badge tone="warn">no reply</Badge>
                ) : (
                  <Badge tone={toneOf(attempt.smtpCode)}>
                    {[attempt.smtpCode, attempt.enhancedCode].filter(Boolean).join(' ')}
                  </Badge>
                )}
                <span className="text-muted text-[13px] break-all">
                  {attempt.mx === null ? 'no mail server found' : attempt.mx}
                </span>
                <span className="text-muted ml-auto text-[13px]">
                  <Time value={attempt.at} exact />, {formatNumber(attempt.durationMs)} ms
                  {attempt.mx === null ? '' : `, ${attempt.tls ?? 'no TLS'}`}
                </span>
              </div>
              <Security attempt={attempt} />
              <SmtpConversation attempt={attempt} label={`SMTP conversation of attempt ${at + 1}`} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

const POLICIES: Record<string, string> = { dane: 'DANE', mta_sts: 'MTA-STS' };

function Security({ attempt }: { attempt: MessageDetailFragment['attempts'][number] }): ReactNode {
  const { certificate, tlsVerified, tlsPolicy } = attempt;
  if (certificate === null) return null;
  return (
    <p className="text-muted mt-1 text-[13px] break-all">
      Certificate {tlsVerified ? 'verified' : 'not verified'}
      {tlsPolicy === null ? '' : ` (required by ${POLICIES[tlsPolicy] ?? tlsPolicy})`}: {certificate.subject},
      issued by {certificate.issuer}, valid until <Time value={certificate.expiresAt} />
    </p>
  );
}

function toneOf(code: number): Tone {
  if (code < 400) return 'good';
  return code < 500 ? 'warn' : 'bad';
}
