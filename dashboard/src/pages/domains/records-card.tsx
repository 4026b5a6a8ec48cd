// The DNS records to publish, each with its status and its problem.

import type { ReactNode } from 'react';

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { waitingKeys } from './domain-words.ts';
import { zoneLines } from './zone-lines.ts';

type Record = DomainDetailFragment['records'][number];

const PURPOSES: { [purpose: string]: string } = {
  dkim: 'DKIM: the public key of the signature',
  return_path: 'Return path: receives bounce messages',
  spf: 'SPF: allows our servers to send for the return path',
  dmarc: 'DMARC: policy for mail that fails authentication, and where reports go',
  mx: 'MX: receives mail for this domain',
  tracking: 'Tracking: your own domain for links and open pixels',
  tls_rpt: 'TLS-RPT: asks other servers to report TLS problems when they send to you',
};

/** The records, each value with a copy button. */
export function RecordsCard({ domain }: { domain: DomainDetailFragment }): ReactNode {
  const { records, status } = domain;
  const waiting = new Set(waitingKeys(domain).map(({ name }) => name));
  return (
    <Card
      title="DNS records"
      description={
        status === 'verified'
          ? 'Keep these records in place. We check them every day.'
          : 'Publish these records at your DNS provider, then verify the domain. If your provider appends the domain to names, leave it out. Changes can take a while to become visible.'
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
        <CopyRow term="Name" value={name} what={`name of ${purpose} record`} />
        {priority === null ? null : <PlainRow term="Priority" value={String(priority)} />}
        <CopyRow term="Value" value={value} what={`value of ${purpose} record`} />
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
        <CopyButton value={value} name={`Copy ${what}`} />
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
