// The names that the simulator's DNS knows: a small built-in zone and what was added over HTTP. Kept in a file
// where one is given, so that a domain that was verified yesterday is still there after a restart.

import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';

/** The domain of the built-in addresses. */
export const SIMULATOR_DOMAIN = 'simulator.test';

/** The name of the simulator's mail server. */
export const SIMULATOR_HOST = `mx.${SIMULATOR_DOMAIN}`;

const MAX_TXT_LENGTH = 4096; // octets; the longest DKIM record (RSA-4096) takes about 750
const MAX_PRIORITY = 65_535;
const MAX_RECORDS_PER_CALL = 10_000;

// An underscore is legal in DNS names (RFC 2181 section 11) and usual in mail (_dmarc, _domainkey).
const name = z
  .string()
  .transform((text) => text.toLowerCase().replace(/\.$/, ''))
  .pipe(
    z
      .string()
      .max(253)
      .regex(/^(\*\.)?([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/, 'is not a DNS name'),
  );
const nullMx = z.literal('.').transform(() => '');
const base = { name };

/** A record as the HTTP interface accepts it; other fields are ignored, so that a domain's records fit as they are. */
export const dnsRecord = z.discriminatedUnion('type', [
  z.object({ ...base, type: z.literal('A'), value: z.string().refine(isIPv4, 'is not an IPv4 address') }),
  z.object({ ...base, type: z.literal('AAAA'), value: z.string().refine(isIPv6, 'is not an IPv6 address') }),
  z.object({
    ...base,
    type: z.literal('MX'),
    value: z.union([nullMx, name]),
    priority: z.number().int().min(0).max(MAX_PRIORITY).nullish(),
  }),
  z.object({ ...base, type: z.literal('TXT'), value: z.string().max(MAX_TXT_LENGTH) }),
  z.object({ ...base, type: z.literal('CNAME'), value: name }),
  z.object({ ...base, type: z.literal('NS'), value: name }),
  z.object({ ...base, type: z.literal('PTR'), value: name }),
]);

/** The body of POST and DELETE /dns. */
export const dnsRecords = z.object({ records: z.array(dnsRecord).max(MAX_RECORDS_PER_CALL) });

/** A checked record: names in lower case without the final dot, the null MX's exchange empty. */
export type DnsRecord = z.infer<typeof dnsRecord>;

/** What may be handed in for a record. */
export type DnsRecordInput = z.input<typeof dnsRecord>;

const BUILT_IN: DnsRecord[] = [
  { type: 'MX', name: SIMULATOR_DOMAIN, value: SIMULATOR_HOST, priority: 10 },
  { type: 'A', name: SIMULATOR_HOST, value: '127.0.0.1' },
];

/** The records by name. */
export class Zone {
  readonly #byName = new Map<string, DnsRecord[]>();
  readonly #file: string | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(file?: string) {
    this.#file = file;
    for (const record of [...BUILT_IN, ...readRecords(file)]) this.#put(record);
  }

  /** All records of a name, or undefined for a name that is not there. */
  find(queried: string): DnsRecord[] | undefined {
    return this.#byName.get(queried.toLowerCase());
  }

  /** All records, by name. */
  all(): DnsRecord[] {
    const names = [...this.#byName.keys()].sort();
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }

  /** Adds records; one that is there already is replaced. */
  async add(records: DnsRecord[]): Promise<void> {
    for (const record of records) this.#put(record);
    await this.#save();
  }

  /** Removes records of the same type, name and value; returns how many there were. */
  async remove(records: DnsRecord[]): Promise<number> {
    const removed = records.filter((record) => this.#drop(record)).length;
    await this.#save();
    return removed;
  }

  #put(record: DnsRecord): void {
    this.#drop(record);
    this.#byName.set(record.name, [...(this.#byName.get(record.name) ?? []), record]);
  }

  #drop(record: DnsRecord): boolean {
    const present = this.#byName.get(record.name) ?? [];
    const kept = present.filter((other) => other.type !== record.type || other.value !== record.value);
    if (kept.length === 0) this.#byName.delete(record.name);
    else this.#byName.set(record.name, kept);
    return kept.length < present.length;
  }

  // One save after the other; a rename, so that a crash leaves the old file or the new one.
  async #save(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    this.#saving = this.#saving.then(async () => {
      await writeFile(`${file}.new`, JSON.stringify([...this.#byName.values()].flat()));
      await rename(`${file}.new`, file);
    });
    await this.#saving;
  }
}

function readRecords(file: string | undefined): DnsRecord[] {
  if (file === undefined) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DnsRecord[];
  } catch {
    return []; // the first start, or a file that was cut off by a crash of the machine
  }
}
