// Campaign mail that waits because the domain breaks a sender rule: how much, until when, and what ends it.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { DomainRuleHoldsDocument, type DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';

/** The card; shown only while mail waits for a rule. */
export function RuleHoldCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const [{ data }] = useQuery({
    query: DomainRuleHoldsDocument,
    variables: { domain: domain.name },
    requestPolicy: 'cache-and-network',
  });
  const held = data?.overview.waiting.find(({ reason }) => reason === 'sender_rules');
  if (held === undefined || held.count === 0) return null;
  const record = domain.records.find(({ purpose }) => purpose === 'dmarc');
  return (
    <Card
      title="Sender rules: campaign mail waits"
      actions={
        <ButtonLink href={`/messages?status=deferred&domain=${encodeURIComponent(domain.name)}`}>
          View messages
        </ButtonLink>
      }
    >
      <div className="space-y-3">
        <p>
          {formatNumber(held.count)} campaign {held.count === 1 ? 'message waits' : 'messages wait'} because{' '}
          {domain.name} has no DMARC record: Gmail, Yahoo and Outlook.com refuse more than 5,000 messages a
          day from such a domain.
        </p>
        <p>
          Publish this TXT record, then check DNS. The mail is sent within a minute
          {held.until === null ? '' : ', otherwise '}
          {held.until === null ? null : <Time value={held.until} exact />}.
        </p>
        {record === undefined ? null : (
          <p className="[overflow-wrap:anywhere]">
            <Code>{record.name}</Code> <Code>{record.value}</Code>
          </p>
        )}
      </div>
    </Card>
  );
}
