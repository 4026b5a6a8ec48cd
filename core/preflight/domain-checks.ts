// What is wrong with a sending domain in the eyes of mailbox providers. Pure.

import type { Config } from '../base/config.ts';
import { isPublicAddress } from '../clients/guarded-http.ts';
import type { DomainRecord, TrackingHostView } from '../domain/domain.ts';
import { readTags } from '../mail/tag-list.ts';
import { BULK_WITHOUT_DMARC } from '../message/sender-rules.ts';
import { makeCheck, type Check, type CheckStatus } from './check.ts';
import { FREE_MAIL_DOMAINS } from './free-mail-domains.ts';
import type { SeenInDns, Source } from './look-up.ts';
import { MAX_SPF_LOOKUPS, type CheckId } from './rules.ts';

/** The settings that decide. */
export type SendingSettings = Pick<
  Config,
  'OUTBOUND_HOSTNAME' | 'OUTBOUND_ROUTES' | 'EGRESS_POOLS' | 'OUTBOUND_TLS' | 'PUBLIC_URL'
>;

/** A domain with everything that is known of it. */
export interface DomainFacts {
  name: string;
  /** The records that it should have. */
  records: DomainRecord[];
  seen: SeenInDns;
  settings: SendingSettings;
  trackingHost: TrackingHostView;
  /** Campaign mail that its cap allows today. */
  bulkCap: number;
}

const RETRY = 'DNS did not answer. Try again in a few minutes; if it stays so, ask your DNS provider.';
const OPERATOR = 'This is for whoever runs this service:';

/** All checks of a domain, in the order of the rules. */
export function checkDomain(facts: DomainFacts): Check[] {
  return [
    checkSpf(facts),
    checkDkim(facts),
    checkDmarc(facts),
    checkAlignment(facts),
    checkRecord(facts, 'return_path', 'return_path', 'fail'),
    checkOneClick(facts),
    checkReverseDns(facts),
    checkTls(facts),
    checkTrackingHost(facts),
    checkFreeMail(facts),
  ];
}

function publish({ type, name, value, priority }: DomainRecord): string {
  return `${type} ${name} ${priority === null ? '' : `${priority} `}${value}`;
}

// One record as verification judges it.
function checkRecord(
  { records, seen }: Pick<DomainFacts, 'records' | 'seen'>,
  id: CheckId,
  purpose: DomainRecord['purpose'],
  whenMissing: CheckStatus,
): Check {
  const record = records.find((one) => one.purpose === purpose)!;
  const result = seen.results.get(record.key);
  const expected = publish(record);
  switch (result?.status) {
    case 'found':
      return makeCheck(id, result.problem === null ? 'pass' : 'warn', result.problem ?? 'found', expected);
    case 'unknown':
      return makeCheck(id, 'warn', result.problem, expected, RETRY);
    default: {
      const found = result?.problem ?? `There is no ${record.type} record at ${record.name}.`;
      return makeCheck(id, whenMissing, found, expected, `Publish: ${expected}`);
    }
  }
}

function checkSpf(facts: DomainFacts): Check {
  const record = facts.records.find(({ purpose }) => purpose === 'spf')!;
  const base = checkRecord(facts, 'spf', 'spf', 'fail');
  if (base.status !== 'pass') return base;
  const { spf, spfWhole } = facts.seen;
  const expected = `pass for every address of ours, within ${MAX_SPF_LOOKUPS} look-ups`;
  const bad = spf.find(({ result }) => result !== 'pass' && result !== 'temperror');
  if (bad) {
    const found = `${bad.result} for ${bad.address}${bad.comment === '' ? '' : ` (${bad.comment})`}`;
    const fix = `Make the record at ${record.name} no more than: ${record.value}`;
    return makeCheck('spf', 'fail', found, expected, fix);
  }
  if (spfWhole.result === 'permerror')
    return makeCheck(
      'spf',
      'warn',
      `Our addresses pass, but the record as a whole is an error: ${spfWhole.comment}`,
      expected,
      `Keep our mechanism first, and remove includes until the record needs at most ${MAX_SPF_LOOKUPS} look-ups.`,
    );
  const unsure = spf.find(({ result }) => result === 'temperror');
  if (unsure) return makeCheck('spf', 'warn', `${unsure.comment} for ${unsure.address}`, expected, RETRY);
  const found =
    spf.length === 0
      ? 'found; which addresses send is not known'
      : `pass for ${spf.map((one) => one.address).join(', ')}`;
  return makeCheck('spf', spf.length === 0 && isDirect(facts) ? 'warn' : 'pass', found, expected);
}

// The worst of the keys that sign, or will.
function checkDkim(facts: DomainFacts): Check {
  const all = facts.records
    .filter(({ purpose, required }) => purpose === 'dkim' && required)
    .map((record) => checkRecord({ ...facts, records: [record] }, 'dkim', 'dkim', 'fail'));
  const worst =
    all.find(({ status }) => status === 'fail') ?? all.find(({ status }) => status === 'warn') ?? all[0];
  return (
    worst ??
    makeCheck('dkim', 'fail', 'The domain has no signing key.', 'a DKIM key', 'Rotate its DKIM keys.')
  );
}

function checkDmarc({ name, records, seen, bulkCap }: DomainFacts): Check {
  const record = records.find(({ purpose }) => purpose === 'dmarc')!;
  const expected = 'a DMARC record with a policy (p=none is enough)';
  const result = seen.results.get('dmarc');
  const { dmarc } = seen;
  if (result?.status === 'unknown' || dmarc.kind === 'unavailable')
    return makeCheck('dmarc', 'warn', 'DNS did not answer.', expected, RETRY);
  const none = dmarc.kind !== 'found';
  if (none || result?.status === 'wrong') {
    const found = result?.problem ?? `There is no DMARC record for ${name}.`;
    const limit = BULK_WITHOUT_DMARC.toLocaleString('en');
    return makeCheck(
      'dmarc',
      bulkCap > BULK_WITHOUT_DMARC || !none ? 'fail' : 'warn',
      found,
      `${expected}: above ${limit} messages a day Google, Yahoo and Microsoft refuse mail without it`,
      `Publish: ${publish(record)}`,
    );
  }
  const { at, text } = dmarc.records[0]!;
  const policy = policyOf(text, at !== name);
  const where = at === name ? '' : ` (inherited from ${at})`;
  return policy === null
    ? makeCheck('dmarc', 'fail', text, expected, 'Add p=none, p=quarantine or p=reject to the record.')
    : makeCheck('dmarc', 'pass', `p=${policy}${where}`, expected);
}

// Only of a subdomain: `sp` comes before `p` (RFC 7489 section 6.3).
function policyOf(text: string, inherited: boolean): string | null {
  const p = tagOf(text, 'p');
  return (inherited ? (tagOf(text, 'sp') ?? p) : p) ?? null;
}

function tagOf(text: string, tag: string): string | undefined {
  const tags = readTags(text, 'DMARC1') ?? [];
  const isWanted = ({ name, value }: { name: string; value: string }) =>
    name.toLowerCase() === tag && /^[a-z]+$/i.test(value);
  return tags.find(isWanted)?.value.toLowerCase();
}

// Mail From the domain is signed by the domain, which aligns even strictly; the return path is below it, which aligns only
// where that is relaxed.
function checkAlignment(facts: DomainFacts): Check {
  const { name, seen } = facts;
  const expected = `DKIM or SPF for ${name} itself (both is better)`;
  const { status } = checkDkim(facts);
  const strictSpf = seen.dmarc.kind === 'found' && tagOf(seen.dmarc.records[0]!.text, 'aspf') === 's';
  const spfAligns = !strictSpf && checkSpf(facts).status === 'pass';
  if (status === 'pass') {
    const also = spfAligns ? 'and SPF' : strictSpf ? 'but not SPF, since the DMARC record says aspf=s' : '';
    return makeCheck('alignment', 'pass', `DKIM (d=${name}) ${also}`.trim(), expected);
  }
  if (status === 'warn')
    return makeCheck('alignment', 'warn', 'DKIM could not be judged; see its check', expected);
  return spfAligns
    ? makeCheck(
        'alignment',
        'warn',
        'only SPF aligns: forwarded mail fails DMARC',
        expected,
        'Publish the DKIM record.',
      )
    : makeCheck(
        'alignment',
        'fail',
        'neither DKIM nor SPF aligns',
        expected,
        'Publish the DKIM and SPF records.',
      );
}

function checkOneClick({ settings, trackingHost }: DomainFacts): Check {
  const url = new URL(trackingHost.status === 'live' ? `https://${trackingHost.name}` : settings.PUBLIC_URL);
  const expected = 'List-Unsubscribe and List-Unsubscribe-Post with an https link that providers reach';
  if (url.protocol !== 'https:') {
    const fix = `${OPERATOR} let PUBLIC_URL begin with https://.`;
    return makeCheck(
      'one_click',
      'fail',
      `links begin with ${url.origin}: the headers are left out`,
      expected,
      fix,
    );
  }
  if (url.hostname === 'localhost')
    return makeCheck(
      'one_click',
      'warn',
      `in campaign mail, at ${url.origin}, which only this machine reaches`,
      expected,
      `${OPERATOR} set PUBLIC_URL to a name that the internet reaches.`,
    );
  return makeCheck('one_click', 'pass', `in all campaign mail, at ${url.origin}`, expected);
}

function isDirect({ settings }: Pick<DomainFacts, 'settings'>): boolean {
  return settings.OUTBOUND_ROUTES.some(({ name }) => name === 'direct');
}

function checkReverseDns(facts: DomainFacts): Check {
  const host = facts.settings.OUTBOUND_HOSTNAME;
  const expected =
    'every address that its mail leaves from has a name that leads back to it, best the one in EHLO';
  const { sources } = facts.seen;
  if (!isDirect(facts))
    return makeCheck(
      'reverse_dns',
      'pass',
      'mail goes through relays, which have names of their own',
      expected,
    );
  if (sources.kind === 'unavailable')
    return makeCheck('reverse_dns', 'warn', `DNS did not answer for ${host}`, expected, RETRY);
  if (sources.kind !== 'found')
    return makeCheck(
      'reverse_dns',
      'warn',
      `${host} has no address`,
      expected,
      `${OPERATOR} set OUTBOUND_HOSTNAME to the public name of this server, with A or AAAA records.`,
    );
  const judged = sources.records.map(judgeSource);
  const worst =
    judged.find(({ status }) => status === 'fail') ?? judged.find(({ status }) => status === 'warn');
  const found = judged.map((one) => one.found).join('; ');
  return worst
    ? makeCheck('reverse_dns', worst.status, found, expected, worst.fix)
    : makeCheck('reverse_dns', 'pass', found, expected);
}

function judgeSource({ address, host, names }: Source): {
  status: CheckStatus;
  found: string;
  fix: string;
} {
  const fix = `${OPERATOR} have the PTR record of ${address} name ${host}, at whoever gave you the address.`;
  if (!isPublicAddress(address))
    return {
      status: 'warn',
      found: `${address} is not on the public internet`,
      fix: `${OPERATOR} let OUTBOUND_HOSTNAME or EGRESS_POOLS name the addresses that mail really comes from.`,
    };
  if (names.kind === 'unavailable')
    return { status: 'warn', found: `DNS did not answer for ${address}`, fix: RETRY };
  if (names.kind !== 'found') return { status: 'fail', found: `${address} has no PTR record`, fix };
  const back = names.records.filter(({ leadsBack }) => leadsBack).map(({ name }) => name.toLowerCase());
  if (back.length === 0) {
    const given = names.records.map(({ name }) => name).join(', ');
    return { status: 'fail', found: `${address} is ${given}, which does not lead back to it`, fix };
  }
  const found = `${address} is ${back.join(', ')}`;
  return back.includes(host.toLowerCase())
    ? { status: 'pass', found, fix }
    : { status: 'warn', found: `${found}, but greets as ${host}`, fix };
}

function checkTls({ settings }: DomainFacts): Check {
  const expected = 'TLS wherever the receiver offers it (OUTBOUND_TLS opportunistic or required)';
  const found = `OUTBOUND_TLS=${settings.OUTBOUND_TLS}`;
  return settings.OUTBOUND_TLS === 'off'
    ? makeCheck('tls', 'fail', found, expected, `${OPERATOR} set OUTBOUND_TLS=opportunistic.`)
    : makeCheck('tls', 'pass', found, expected);
}

// The record as it is now, the certificate as it was seen last.
function checkTrackingHost(facts: DomainFacts): Check {
  const { trackingHost, settings } = facts;
  const id = 'tracking_host';
  const instead = `links of new mail lead over ${new URL(settings.PUBLIC_URL).host}`;
  if (trackingHost.status === 'off')
    return makeCheck(
      id,
      'warn',
      instead,
      `links over ${trackingHost.name}`,
      `${OPERATOR} set ACME_DIRECTORY_URL or TRACKING_CERT_FOLDER, so that domains can have tracking hosts.`,
    );
  const record = checkRecord(facts, id, 'tracking', 'warn');
  if (record.status !== 'pass') return record;
  const { status, problem, certificateExpiresAt } = trackingHost;
  if (status !== 'live')
    return makeCheck(
      id,
      'warn',
      `its record is there, but ${instead}`,
      record.expected,
      problem ?? 'Check DNS, so that it is seen.',
    );
  const found = `links of new mail lead over ${trackingHost.name}; its certificate is valid until ${certificateExpiresAt?.toISOString().slice(0, 10)}`;
  return problem === null
    ? makeCheck(id, 'pass', found, record.expected)
    : makeCheck(id, 'warn', found, record.expected, problem);
}

function checkFreeMail({ name }: DomainFacts): Check {
  const expected = 'a From address at a domain of your own';
  const labels = name.split('.');
  const provider = labels.map((_, i) => labels.slice(i).join('.')).find((one) => FREE_MAIL_DOMAINS.has(one));
  return provider === undefined
    ? makeCheck('free_mail', 'pass', name, expected)
    : makeCheck(
        'free_mail',
        'fail',
        `${provider} is a free mailbox provider, whose DMARC policy has your mail refused`,
        expected,
        'Send from a domain of your own.',
      );
}
