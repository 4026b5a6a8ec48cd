// The conversation with mail servers: one block for each try, with the peer's own words as text.

import type { ReactNode } from 'react';

import type { MessageDetailFragment } from '../../gen/pages/messages/message.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { formatNumber } from '../../ui/number-text.tsx';
import { Time } from '../../ui/time.tsx';
import { SmtpConversation } from './smtp-conversation.tsx';

export function MessageAttempts({ attempts }: { attempts: MessageDetailFragment['attempts'] }): ReactNode {
  return (
    <Card
      title="Delivery attempts"
      description="Each try, the server it was made at, and what was said there."
    >
      {attempts.length === 0 ? (
        <p className="text-muted">No server was asked yet.</p>
      ) : (
        <ol className="space-y-4">
          {attempts.map((attempt, at) => (
            <li key={at} className="rounded-md border p-3">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="font-medium">Try {at + 1}</span>
                {attempt.smtpCode === null ? (
                  <Badge tone="warn">no answer</Badge>
                ) : (
                  <Badge tone={toneOf(attempt.smtpCode)}>
                    {[attempt.smtpCode, attempt.enhancedCode].filter(Boolean).join(' ')}
                  </Badge>
                )}
                <span className="text-muted text-[13px] break-all">
                  {attempt.mx === null ? 'no server found' : attempt.mx}
                </span>
                <span className="text-muted ml-auto text-[13px]">
                  <Time value={attempt.at} exact />, {formatNumber(attempt.durationMs)} ms
                  {attempt.mx === null ? '' : `, ${attempt.tls ?? 'no TLS'}`}
                </span>
              </div>
              <SmtpConversation attempt={attempt} label={`SMTP conversation of try ${at + 1}`} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function toneOf(code: number): Tone {
  if (code < 400) return 'good';
  return code < 500 ? 'warn' : 'bad';
}
