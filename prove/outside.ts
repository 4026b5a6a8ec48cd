// What stands around Postrider in a run: the mail servers of the world and their DNS (prove/sink/).

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';

import type { DnsRecord } from '../local/simulator/zone.ts';
import { KINDS, type Kind } from './sink/verdicts.ts';

/** Where they listen, for the settings of the services. */
export interface Outside {
  /** OUTBOUND_SMTP_PORT: every recipient's mail server is here. */
  smtpPort: number;
  /** DNS_SERVERS, `ip:port`. */
  dnsAddress: string;
  addRecords(records: DnsRecord[]): Promise<void>;
  /** Messages that got a 2xx so far, a second ago at most. */
  taken(): number;
  /** The UTC day by the store's calendar, for servers that are full for a day. */
  setDay(day: string): void;
  stop(): Promise<void>;
}

/** What the sink says: first where it listens, then an answer to each `records`, and how far it is. */
export type SinkNews = Pick<Outside, 'smtpPort' | 'dnsAddress'> | { added: number } | { taken: number };

/** What it is told. */
export type SinkOrder = { records: DnsRecord[] } | { day: string };

const DOMAINS_PER_KIND = 4; // so that no destination's own limit is what is measured

/** A recipient's domain of a kind, in A-labels; one of four has a name that is not ASCII. */
export function recipientDomain(kind: Kind, n: number): string {
  const place = n % DOMAINS_PER_KIND;
  return domainToASCII(
    place === DOMAINS_PER_KIND - 1 ? `${kind}${place}-straße.test` : `${kind}${place}.test`,
  );
}

/** Starts the sink; its wire log goes into the run's folder. */
export async function startOutside(runDir: string): Promise<Outside> {
  const child = fork(join(import.meta.dirname, 'sink/main.ts'), [runDir], { execArgv: [] });
  const exited = once(child, 'exit');
  const tell = (order: SinkOrder) => void child.send(order);
  const added: (() => void)[] = [];
  let taken = 0;
  child.on('message', (news: SinkNews) => {
    if ('taken' in news) taken = news.taken;
    if ('added' in news) added.shift()?.();
  });
  const [ready] = (await once(child, 'message')) as [Pick<Outside, 'smtpPort' | 'dnsAddress'>];
  const outside: Outside = {
    ...ready,
    addRecords: (records) =>
      new Promise((resolve) => {
        added.push(resolve);
        tell({ records });
      }),
    taken: () => taken,
    setDay: (day) => tell({ day }),
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
  await outside.addRecords(recipientRecords());
  return outside;
}

// Every domain's server has an address of its own: limits are learned by destination.
function recipientRecords(): DnsRecord[] {
  return KINDS.flatMap((kind, k) =>
    Array.from({ length: DOMAINS_PER_KIND }, (_, n): DnsRecord[] => {
      const name = recipientDomain(kind, n);
      return [
        { type: 'MX', name, value: `mx.${name}`, priority: 10 },
        { type: 'A', name: `mx.${name}`, value: `127.0.1.${k * DOMAINS_PER_KIND + n + 1}` },
      ];
    }).flat(),
  );
}
