// Sending domains: the list with what is wrong in words, and adding one.

import { Globe, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import {
  CreateDomainDocument,
  DomainsDocument,
  type DomainListRowFragment,
} from '../../gen/pages/domains/domains.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/number-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** The page. */
export function DomainsPage(): ReactNode {
  const [adding, setAdding] = useState(false);
  const domains = useConnection({ query: DomainsDocument, pick: (data) => data.domains, typename: 'Domain' });
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add domain
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Domains"
        description="Mail leaves from domains that are yours. Each one has a warm-up of its own."
        actions={add}
      />
      <Card flush>
        <DataTable
          label="Domains"
          columns={COLUMNS}
          connection={domains}
          rowKey={(domain) => domain.id}
          rowHref={(domain) => `/domains/${domain.id}`}
          empty={
            <EmptyState icon={Globe} title="No domain yet" action={add}>
              Add the domain that you send from. You get the DNS records to publish, and we check them.
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
    cell: (domain) => <span className="[overflow-wrap:anywhere]">{domain.name}</span>,
  },
  { id: 'status', header: 'State', cell: (domain) => <StatusBadge status={domain.status} /> },
  { id: 'records', header: 'DNS records', cell: (domain) => sayRecords(domain) },
  {
    id: 'warmup',
    header: 'Warm-up',
    cell: ({ warmup, status }) =>
      status === 'verified' ? (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          Tier {warmup.tier} of 10
          {warmup.state === 'active' ? null : <StatusBadge status={warmup.state} />}
        </span>
      ) : (
        <span className="text-muted">begins when verified</span>
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

function sayRecords({ records }: DomainListRowFragment): ReactNode {
  const wanted = records.filter(({ required }) => required);
  const found = wanted.filter(({ status }) => status === 'found').length;
  if (found === wanted.length) return 'all found';
  return (
    <span className="text-warn">
      {wanted.length - found} of {wanted.length} to publish
    </span>
  );
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
  const [, navigate] = useLocation();
  const form = useMutationForm(CreateDomainDocument, ['name']);
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: { name: name.trim() } }),
        ({ createDomain }) => navigate(`/domains/${createDomain.domain.id}`),
      )}
    >
      <Field
        label="Domain"
        hint="What stands after the @ of your senders, for example: example.com"
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
