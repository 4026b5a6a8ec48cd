// Sending one message from the dashboard, for example to test a domain.

import { SendHorizontal } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { SendChoicesDocument, type SendTestMessageMutation } from '../../gen/pages/send/send.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { SendForm } from './send-form.tsx';
import { SendResult } from './send-result.tsx';

type Sent = SendTestMessageMutation['sendMessage'];

export function SendPage(): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: SendChoicesDocument, variables: {} });
  const [sent, setSent] = useState<(Sent & { to: string }) | null>(null);
  if (!data) {
    return error ? (
      <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
    ) : (
      <PageSkeleton />
    );
  }
  const domains = data.domains.edges.map(({ node }) => node);
  const names = domains.filter(({ status }) => status === 'verified').map(({ name }) => name);
  const templates = data.templates.edges.map(({ node }) => node);
  return (
    <>
      <PageHeader
        title="Send a message"
        description="It counts towards the domain’s warm-up cap and your monthly quota."
      />
      {names.length === 0 ? (
        <Card flush>
          <EmptyState
            icon={SendHorizontal}
            title="No verified domain yet"
            action={
              <ButtonLink href="/domains" variant="primary">
                Verify a domain
              </ButtonLink>
            }
          >
            You send from a domain you own. Add it and publish its DNS records first.
          </EmptyState>
        </Card>
      ) : (
        <div className="space-y-6">
          <div aria-live="polite">
            {sent === null ? null : <SendResult key={sent.id} sent={sent} to={sent.to} />}
          </div>
          <SendForm domains={names} templates={templates} onSent={setSent} />
        </div>
      )}
    </>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => client.query(SendChoicesDocument, {}, KNOWN_FIRST);
