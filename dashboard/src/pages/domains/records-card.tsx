// The DNS records that sending needs, each with its status and its problem. Receiving is a step of its own (receiving-card.tsx).

import type { ReactNode } from 'react';

import type { DomainDetailFragment } from '../../gen/pages/domains/domain.ts';
import { Address } from '../../ui/address.tsx';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { isReceiving, waitingKeys } from './domain-words.ts';
import { nameFor, valueFor, type Hosting } from './use-hosting.ts';
import { zoneLines } from './zone-lines.ts';

type Record = DomainDetailFragment['records'][number];

const PURPOSES: { [purpose: string]: string } = {
  mx: 'MX: receives mail for this domain',
  dkim: 'DKIM: the public key of the signature',
  return_path: 'Return path: receives bounce messages',
  spf: 'SPF: allows our servers to send for the return path',
  dmarc: 'DMARC: policy for mail that fails authentication, and where reports go',
  tracking: 'Tracking: your own domain for links and open pixels',
  tls_rpt: 'TLS-RPT: asks other servers to report TLS problems when they send to you',
};

/** The records, each value with a copy button. */
export function RecordsCard({
  domain,
  hosting,
}: {
  domain: DomainDetailFragment;
  hosting: Hosting | undefined;
}): ReactNode {
  const { status } = domain;
  const records = domain.records.filter(({ purpose }) => !isReceiving(purpose));
  const waiting = new Set(waitingKeys(domain).map(({ name }) => name));
  return (
    <Card
      title="DNS records for sending"
      description={
        status === 'verified'
          ? 'Keep these records in place. We check them every day.'
          : 'Publish these records at your DNS provider. We check for them and verify the domain automatically.'
      }
      actions={<CopyButton value={zoneLines(records)} label="Copy all as zone file" />}
    >
      <ProviderHint domain={domain.name} hosting={hosting} />
      <ul className="space-y-4">
        {records.map((record) => (
          <RecordItem
            key={`${record.type} ${record.name} ${record.value}`}
            record={record}
            isNewKey={waiting.has(record.name)}
            hosting={hosting}
          />
        ))}
      </ul>
    </Card>
  );
}

/** One record with its status, its problem, and a button to copy each part. */
export function RecordItem({
  record,
  isNewKey,
  hosting,
}: {
  record: Record;
  isNewKey: boolean;
  hosting: Hosting | undefined;
}): ReactNode {
  const { type, name, value, priority, required, status, problem, purpose } = record;
  const { nameField = 'Name', valueField = 'Value' } = hosting?.provider ?? {};
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
        <CopyRow term={nameField} value={nameFor(hosting, name)} what={`name of ${purpose} record`} />
        {priority === null ? null : <PlainRow term="Priority" value={String(priority)} />}
        <CopyRow
          term={valueField}
          value={valueFor(hosting, type, value)}
          what={`value of ${purpose} record`}
        />
      </dl>
      {problem === null ? null : (
        <p className="bg-warn-soft text-warn mt-2 rounded-md px-3 py-2 [overflow-wrap:anywhere]">{problem}</p>
      )}
    </li>
  );
}

// Whose form the records go into, and how it wants names.
function ProviderHint({ domain, hosting }: { domain: string; hosting: Hosting | undefined }): ReactNode {
  if (hosting === undefined) return null;
  const { zone, provider, nameServers } = hosting;
  if (provider === null)
    return (
      <p className="text-muted mb-4 break-words">
        {nameServers.length === 0
          ? `We could not find the name servers of ${domain}.`
          : `The DNS of ${zone} is at ${nameServers.slice(0, 2).join(' and ')}.`}{' '}
        If your DNS provider adds the domain to names, leave it out.
      </p>
    );
  return (
    <div role="note" aria-label="DNS provider" className="bg-note-soft text-note mb-4 rounded-md px-4 py-3">
      <p className="font-medium break-words">
        The DNS of {zone} is at {provider.name}.
      </p>
      <p className="mt-1 break-words">
        Go to {provider.place}.{' '}
        {provider.relativeNames ? `Names below are without ${zone}, which ${provider.name} adds. ` : ''}
        <a href={provider.guide} target="_blank" rel="noreferrer" className="underline">
          {provider.name} documentation
        </a>
      </p>
    </div>
  );
}

function CopyRow({ term, value, what }: { term: string; value: string; what: string }): ReactNode {
  return (
    <div className="grid grid-cols-[4.5rem_1fr_auto] sm:grid-cols-[6rem_1fr_auto] items-start gap-x-2">
      <dt className="text-muted py-1.5 text-[13px]">{term}</dt>
      <dd className="min-w-0 py-1.5 font-mono text-[13px]">
        {value === '' ? (
          <span className="text-muted font-sans">(leave empty)</span>
        ) : (
          <Address>{value}</Address>
        )}
      </dd>
      <dd>{value === '' ? null : <CopyButton value={value} name={`Copy ${what}`} />}</dd>
    </div>
  );
}

function PlainRow({ term, value }: { term: string; value: string }): ReactNode {
  return (
    <div className="grid grid-cols-[4.5rem_1fr] sm:grid-cols-[6rem_1fr] gap-x-2">
      <dt className="text-muted text-[13px]">{term}</dt>
      <dd className="font-mono text-[13px]">{value}</dd>
    </div>
  );
}
