// The list of sending domains with their issues, and adding one.

import { Globe, Plus } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useQuery, type OperationContext } from 'urql';
import { Link, useLocation } from 'wouter';

import {
  CreateDomainDocument,
  DomainScoresDocument,
  DomainsDocument,
  type DomainListRowFragment,
} from '../../gen/pages/domains/domains.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Address } from '../../ui/address.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/class-names.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useLinkedDialog } from '../filters/use-linked-dialog.ts';
import { useSort } from '../filters/use-sort.ts';
import { BrakeBadge } from './brake-badge.tsx';
import { cleanDomain } from './clean-domain.ts';
import { firstIssue } from './domain-words.ts';

const SCORES_CHANGE_WITH: Partial<OperationContext> = { additionalTypenames: ['Domain'] };

export function DomainsPage(): ReactNode {
  const [adding, setAdding] = useLinkedDialog();
  const order = useSort(['newest', 'name']);
  const domains = useConnection({
    query: DomainsDocument,
    variables: order.variable,
    pick: (data) => data.domains,
    typename: 'Domain',
  });
  const [{ data, error }] = useQuery({
    query: DomainScoresDocument,
    variables: {},
    context: SCORES_CHANGE_WITH,
  });
  const scores = new Map(
    data?.reputation.map((one) => [one.domainId, one.hasEnoughMail ? one.trustScore : null]),
  );
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add domain
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Domains"
        description="The domains you send from. Each has its own warm-up."
        actions={add}
      />
      <Card flush>
        <DataTable
          label="Domains"
          columns={[...COLUMNS, scoreColumn(scores, error !== undefined), ISSUES]}
          connection={domains}
          sort={order.sort}
          rowKey={(domain) => domain.id}
          rowHref={(domain) => `/domains/${domain.id}`}
          empty={
            <EmptyState icon={Globe} title="No domains yet" action={add}>
              Add the domain you send from. You get the DNS records to publish, and we check them.
            </EmptyState>
          }
        />
      </Card>
      <AddDomainDialog open={adding} onClose={() => setAdding(false)} />
    </>
  );
}

const COLUMNS: readonly Column<DomainListRowFragment>[] = [
  {
    id: 'name',
    header: 'Domain',
    sorts: { ascending: 'name' },
    cell: (domain) => <Address>{domain.name}</Address>,
  },
  { id: 'status', header: 'Status', cell: (domain) => <StatusBadge status={domain.status} /> },
  {
    id: 'warmup',
    header: 'Warm-up',
    cell: (domain) =>
      domain.status === 'verified' ? (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          Tier {domain.warmup.tier} of 10
          {domain.warmup.state === 'active' ? null : <StatusBadge status={domain.warmup.state} />}
          <BrakeBadge domain={domain} />
        </span>
      ) : (
        <span className="text-muted">starts after verification</span>
      ),
  },
  {
    id: 'today',
    header: 'Used today',
    align: 'right',
    cell: ({ warmup }) => (
      <span className="tabular-nums">
        {formatNumber(warmup.used)} of {formatNumber(warmup.cap)}
        {warmup.waiting > 0 ? (
          <span className="text-muted block text-[13px]">{formatNumber(warmup.waiting)} waiting</span>
        ) : null}
      </span>
    ),
  },
];

const ISSUES: Column<DomainListRowFragment> = {
  id: 'issues',
  header: 'Issues',
  className: 'sm:max-w-64',
  cell: (domain) => {
    const issue = firstIssue(domain);
    if (issue === null) return <span className="text-muted">–</span>;
    return (
      <span className={cx('[overflow-wrap:anywhere]', issue.urgent ? 'text-warn' : 'text-muted')}>
        {issue.text}
      </span>
    );
  },
};

// The scores have their own query, because they cost more than the list.
function scoreColumn(
  scores: ReadonlyMap<string, number | null>,
  failed: boolean,
): Column<DomainListRowFragment> {
  return {
    id: 'score',
    header: 'Trust score',
    align: 'right',
    cell: ({ id, name }) => {
      const score = scores.get(id);
      if (score === undefined) return <span className="text-muted">{failed ? 'not available' : '–'}</span>;
      if (score === null) return <span className="text-muted">not enough mail yet</span>;
      return (
        <Link
          href="/reputation"
          className="text-accent-strong tabular-nums hover:underline"
          aria-label={`Trust score of ${name}: ${score} of 100`}
        >
          {score}
        </Link>
      );
    },
  };
}

function AddDomainDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title="Add a domain">
      <AddDomainForm onCancel={onClose} />
    </Dialog>
  );
}

function AddDomainForm({ onCancel }: { onCancel: () => void }): ReactNode {
  const [name, setName] = useState('');
  const domain = cleanDomain(name);
  const [, navigate] = useLocation();
  const form = useMutationForm(CreateDomainDocument, ['name']);
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: { name: domain } }),
        ({ createDomain }) => navigate(`/domains/${createDomain.domain.id}`),
      )}
    >
      <Field
        label="Domain"
        hint={
          domain === name.trim()
            ? 'The part after the @ of your sender addresses, for example: example.com'
            : `${domain} is added, without the rest of what you entered.`
        }
        error={form.fieldError('name')}
      >
        <TextInput
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Add domain
        </Button>
      </DialogFooter>
    </form>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, DomainsDocument);
