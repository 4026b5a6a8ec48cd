// The DNS records to publish: where, what, whether we saw them, and what is wrong with those that we saw.

import type { ReactNode } from 'react';

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { waitingKeys } from './domain-words.ts';
import { zoneLines } from './zone-lines.ts';

type Record = DomainDetailFragment['records'][number];

const PURPOSES: { [purpose: string]: string } = {
  dkim: 'DKIM: the key that receivers check our signature with',
  return_path: 'Return path: brings reports of bounced mail to us',
  spf: 'SPF: lets our servers send for the return path',
  dmarc: 'DMARC: what receivers should do with mail that is not yours',
  mx: 'MX: brings mail for this domain to us',
  tracking: 'Tracking: links and open pixels under your own name',
};

/** The list, each value with a button that copies it. */
export function RecordsCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const { records, status } = domain;
  const waiting = new Set(waitingKeys(domain).map(({ name }) => name));
  return (
    <Card
      title="DNS records"
      description={
        status === 'verified'
          ? 'Leave them in place: we look at them every day.'
          : 'Publish these where the DNS of the domain is kept, then verify. If your provider adds the domain to names by itself, leave it out of them. It may take a while until all is seen everywhere.'
      }
      actions={<CopyButton value={zoneLines(records)} label="Copy all as zone file" />}
    >
      <ul className="space-y-4">
        {records.map((record) => (
          <RecordItem
            key={`${record.type} ${record.name} ${record.value}`}
            record={record}
            isNewKey={waiting.has(record.name)}
          />
        ))}
      </ul>
    </Card>
  );
}

function RecordItem({ record, isNewKey }: { record: Record; isNewKey: boolean }): ReactNode {
  const { type, name, value, priority, required, status, problem, purpose } = record;
  return (
    <li className="rounded-md border p-3">
      <div className="mb-2 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone="accent">{type}</Badge>
        <span className="font-medium">{PURPOSES[purpose] ?? purpose.replaceAll('_', ' ')}</span>
        {isNewKey ? <Badge tone="note">new key</Badge> : required ? null : <Badge>optional</Badge>}
        <span className="ml-auto">
          <StatusBadge status={status} />
        </span>
      </div>
      <dl className="space-y-1.5">
        <CopyRow term="Name" value={name} what={`name of the ${purpose} record`} />
        {priority === null ? null : <PlainRow term="Priority" value={String(priority)} />}
        <CopyRow term="Value" value={value} what={`value of the ${purpose} record`} />
      </dl>
      {problem === null ? null : (
        <p className="bg-warn-soft text-warn mt-2 rounded-md px-3 py-2 [overflow-wrap:anywhere]">{problem}</p>
      )}
    </li>
  );
}

function CopyRow({ term, value, what }: { term: string; value: string; what: string }): ReactNode {
  return (
    <div className="grid grid-cols-[4.5rem_1fr_auto] items-start gap-x-2">
      <dt className="text-muted py-1.5 text-[13px]">{term}</dt>
      <dd className="min-w-0 py-1.5 font-mono text-[13px] break-all">{value}</dd>
      <dd>
        <CopyButton value={value} name={`Copy the ${what}`} />
      </dd>
    </div>
  );
}

function PlainRow({ term, value }: { term: string; value: string }): ReactNode {
  return (
    <div className="grid grid-cols-[4.5rem_1fr] gap-x-2">
      <dt className="text-muted text-[13px]">{term}</dt>
      <dd className="font-mono text-[13px]">{value}</dd>
    </div>
  );
}
