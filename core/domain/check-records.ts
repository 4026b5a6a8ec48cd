// Looks every record of a domain up, all at once, and says of each what is there. Where one is missing, the places
// where people put it by mistake are checked too.

import type { DnsAnswer } from '../clients/dns.ts';
import type { RecordDns } from './dns-lookup.ts';
import type { DkimKeyInfo, DomainRecord } from './domain.ts';
import { holdsKey, judgeDkim, type Judgement } from './judge-dkim.ts';
import { judgeCname, judgeDmarc, judgeMx, judgeSpf, judgeTlsRpt } from './judge-records.ts';

/** The result of a DNS check of one record; `unknown` when DNS itself did not answer. */
export type CheckResult = Judgement | { status: 'unknown'; problem: string };

/** Results by record key. */
export type CheckResults = Map<string, CheckResult>;

/** How one record is asked for and judged. */
interface Check<T> {
  ask: (name: string) => Promise<DnsAnswer<T>>;
  judge: (found: T[]) => Judgement;
  /** Whether a record at a wrong place is the one we look for. */
  isOurs: (found: T) => boolean;
}

/** Checks all records of a domain. Bounded by two look-ups in a row, about ten seconds at worst. */
export async function checkRecords(
  dns: RecordDns,
  domain: string,
  wanted: DomainRecord[],
  keys: DkimKeyInfo[],
): Promise<CheckResults> {
  const results = await Promise.all(
    wanted.map(async (record) => [record.key, await checkRecord(dns, domain, record, keys)] as const),
  );
  return new Map(results);
}

function checkRecord(
  dns: RecordDns,
  domain: string,
  record: DomainRecord,
  keys: DkimKeyInfo[],
): Promise<CheckResult> {
  const { value } = record;
  switch (record.purpose) {
    case 'dkim':
      return checkDkim(dns, domain, record, keys);
    case 'return_path':
    case 'mx':
      return run(domain, record, {
        ask: dns.mx,
        judge: (found) => judgeMx(found, value, domain),
        isOurs: (found) => judgeMx([found], value, domain).status === 'found',
      });
    case 'spf':
      return run(domain, record, {
        ask: dns.txt,
        judge: (found) => judgeSpf(found, value.split(' ')[1]?.slice('a:'.length) ?? ''),
        isOurs: (found) => found === value,
      });
    case 'dmarc':
      return checkDmarc(dns, domain, record);
    case 'tls_rpt':
      return run(domain, record, { ask: dns.txt, judge: judgeTlsRpt, isOurs: (found) => found === value });
    case 'tracking':
      return run(domain, record, {
        ask: dns.cname,
        judge: (found) => judgeCname(found, value, domain),
        isOurs: (found) => judgeCname([found], value, domain).status === 'found',
      });
    default:
      return record.purpose satisfies never;
  }
}

async function checkDkim(
  dns: RecordDns,
  domain: string,
  record: DomainRecord,
  keys: DkimKeyInfo[],
): Promise<CheckResult> {
  const selector = record.name.slice(0, record.name.indexOf('.'));
  const key = keys.find((one) => one.selector === selector);
  if (!key) return { status: 'missing', problem: null };
  const others = keys.filter((one) => one !== key);
  return run(domain, record, {
    ask: dns.txt,
    judge: (found) => judgeDkim(found, key, others),
    isOurs: (found) => holdsKey(found, key),
  });
}

// Without a record of its own a name is under the policy of a domain above it (RFC 7489 section 6.6.3 asks for the
// organization's), which may be the very record that we propose. Campaign mail is held for want of one, so silence of DNS
// is no absence.
async function checkDmarc(dns: RecordDns, domain: string, record: DomainRecord): Promise<CheckResult> {
  const [own, direct, ...above] = await Promise.all([
    run(domain, record, { ask: dns.txt, judge: judgeDmarc, isOurs: (found) => found === record.value }),
    dns.txt(record.name),
    ...namesAbove(domain).map((name) => dns.txt(`_dmarc.${name}`)),
  ]);
  const isBare = direct.kind === 'found' ? judgeDmarc(direct.records).status === 'missing' : true;
  if (!isBare || own.status === 'unknown') return own;
  if (above.some((answer) => answer.kind === 'found' && judgeDmarc(answer.records).status === 'found'))
    return { status: 'found', problem: null };
  const silent = above.find(({ kind }) => kind === 'unavailable');
  return silent ? { status: 'unknown', problem: `DNS did not answer for the domains above ${domain}.` } : own;
}

async function run<T>(domain: string, record: DomainRecord, check: Check<T>): Promise<CheckResult> {
  const answer = await check.ask(record.name);
  if (answer.kind === 'unavailable') {
    const problem = `DNS did not answer for ${record.name} (${answer.detail}); try again in a few minutes.`;
    return { status: 'unknown', problem };
  }
  const judged: Judgement =
    answer.kind === 'found'
      ? check.judge(answer.records)
      : { status: 'missing', problem: `There is no ${record.type} record at ${record.name}.` };
  return judged.status === 'missing' ? ((await misplaced(domain, record, check)) ?? judged) : judged;
}

// Where records end up by mistake: with the zone's name doubled, one level too high, or without `_domainkey`.
async function misplaced<T>(
  domain: string,
  record: DomainRecord,
  check: Check<T>,
): Promise<Judgement | null> {
  const below = record.name.slice(0, -domain.length - 1);
  const parent = parentOf(domain);
  const places = [
    { name: `${record.name}.${domain}`, why: 'your DNS provider appends the domain automatically' },
    ...(parent === null
      ? []
      : [
          { name: `${record.name}.${parent}`, why: `your DNS provider appends ${parent} automatically` },
          ...(below === '' ? [] : [{ name: `${below}.${parent}`, why: 'that is one level too high' }]),
        ]),
    ...(record.purpose === 'dkim'
      ? [{ name: `${below.split('.')[0]}.${domain}`, why: '"_domainkey" is missing from it' }]
      : []),
  ];
  const answers = await Promise.all(places.map((place) => check.ask(place.name)));
  const at = answers.findIndex((answer) => answer.kind === 'found' && answer.records.some(check.isOurs));
  const place = places[at];
  if (!place) return null;
  return {
    status: 'wrong',
    problem: `The record is at ${place.name} instead of ${record.name}: ${place.why}.`,
  };
}

// Down to the last with two labels.
function namesAbove(domain: string): string[] {
  const parent = parentOf(domain);
  return parent === null ? [] : [parent, ...namesAbove(parent)];
}

function parentOf(domain: string): string | null {
  const parent = domain.slice(domain.indexOf('.') + 1);
  return parent.includes('.') ? parent : null;
}
