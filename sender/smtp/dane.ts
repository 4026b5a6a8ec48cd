// DANE for SMTP (RFC 7672): which records a mail host publishes, and whether its certificate matches them.

import { createHash, X509Certificate } from 'node:crypto';

import { createLookupCache } from '../../core/base/lookup-cache.ts';
import type { SecureDns, TlsaRecord } from '../../core/clients/secure-dns.ts';

/** What DNSSEC proves about a mail host. `none`: it asks for nothing. */
type DaneAnswer =
  | { kind: 'none' }
  /** TLS is required; with records the certificate must match one of them, without it may be anybody's. */
  | { kind: 'records'; usable: TlsaRecord[] }
  /** Whether there are records cannot be told: nothing may be sent (RFC 7672 section 2.1.2). */
  | { kind: 'unknown'; detail: string };

/** The DANE look-ups of one process. */
export interface Dane {
  /** The proven MX hosts of a domain, lower case; the domain itself without MX. Null when nothing proves them. */
  provenHosts(domain: string): Promise<ReadonlySet<string> | null>;
  recordsOf(host: string, port: number): Promise<DaneAnswer>;
}

const BELIEVED_MS = 60_000;
const MAX_NAMES = 20_000;

/** Makes the look-ups; each is believed for a minute. */
export function createDane(dns: SecureDns, scale: number): Dane {
  const options = { maxAgeMs: BELIEVED_MS * scale, maxEntries: MAX_NAMES };
  const domains = createLookupCache<ReadonlySet<string> | null>(options);
  const hosts = createLookupCache<DaneAnswer>(options);
  return {
    provenHosts: (domain) => domains(domain.toLowerCase(), () => findProvenHosts(dns, domain.toLowerCase())),
    recordsOf: (host, port) =>
      hosts(`${port} ${host.toLowerCase()}`, () => findRecords(dns, host.toLowerCase(), port)),
  };
}

// Section 2.2.1: without proof of the MX records DANE says nothing about the domain.
async function findProvenHosts(dns: SecureDns, domain: string): Promise<ReadonlySet<string> | null> {
  const answer = await dns.mx(domain);
  if (!answer.ok || !answer.secure) return null;
  return new Set(answer.records.length > 0 ? answer.records : [domain]);
}

// Section 2.2.2: TLSA is asked for only where the addresses are proven; servers of other zones may not know the type.
async function findRecords(dns: SecureDns, host: string, port: number): Promise<DaneAnswer> {
  const address = await dns.address(host);
  if (!address.ok || !address.secure) return { kind: 'none' };
  const tlsa = await dns.tlsa(`_${port}._tcp.${host}`);
  if (!tlsa.ok) return { kind: 'unknown', detail: tlsa.detail };
  if (!tlsa.secure || tlsa.records.length === 0) return { kind: 'none' };
  return { kind: 'records', usable: tlsa.records.filter(isUsable) };
}

const DANE_TA = 2;
const DANE_EE = 3;
const DIGESTS: Readonly<Record<number, { algorithm: string; octets: number }>> = {
  1: { algorithm: 'sha256', octets: 32 },
  2: { algorithm: 'sha512', octets: 64 },
};

// Section 3.1.3: PKIX-TA(0) and PKIX-EE(1) are of no use between mail servers. Unknown parameters make a record unusable.
function isUsable({ usage, selector, matching, data }: TlsaRecord): boolean {
  if (usage !== DANE_TA && usage !== DANE_EE) return false;
  if (selector !== 0 && selector !== 1) return false;
  return matching === 0 || DIGESTS[matching]?.octets === data.length;
}

/** Whether the certificate that a host showed matches: by itself, by an authority that is still to be checked, or not. */
export type TlsaMatch =
  | { kind: 'end_entity' }
  | { kind: 'authority'; anchors: string[] }
  | { kind: 'no_match' };

/**
 * Compares a certificate and those that came with it with usable records. DANE-EE(3) is enough by itself: neither name nor
 * date count (section 3.1.1). DANE-TA(2) only names the authorities, in PEM: chain, name and dates are to be checked by them.
 */
export function matchTlsa(records: readonly TlsaRecord[], shown: X509Certificate): TlsaMatch {
  if (records.some((record) => record.usage === DANE_EE && fits(record, shown)))
    return { kind: 'end_entity' };
  const authorities = records.filter(({ usage }) => usage === DANE_TA);
  const anchors = [...issuersOf(shown), ...authorities.flatMap(wholeCertificate)].filter((certificate) =>
    authorities.some((record) => fits(record, certificate)),
  );
  if (anchors.length === 0) return { kind: 'no_match' };
  return { kind: 'authority', anchors: anchors.map((certificate) => certificate.toString()) };
}

function fits({ selector, matching, data }: TlsaRecord, certificate: X509Certificate): boolean {
  const selected =
    selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' });
  const digest = DIGESTS[matching];
  const value = digest ? createHash(digest.algorithm).update(selected).digest() : selected;
  return value.equals(data);
}

const LONGEST_CHAIN = 10;

function issuersOf(shown: X509Certificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let one = shown.issuerCertificate; one && chain.length < LONGEST_CHAIN; one = one.issuerCertificate) {
    if (chain.at(-1)?.fingerprint256 === one.fingerprint256) break; // a root is its own issuer
    chain.push(one);
  }
  return chain;
}

// A record may hold the authority's certificate itself, which the server then need not send (section 3.2.1).
function wholeCertificate({ selector, matching, data }: TlsaRecord): X509Certificate[] {
  if (selector !== 0 || matching !== 0) return [];
  try {
    return [new X509Certificate(data)];
  } catch {
    return [];
  }
}
