// Do the records at a name do what we need? MX, SPF (RFC 7208), DMARC (RFC 7489) and the tracking CNAME. Pure.

import type { MxRecord } from '../clients/dns.ts';
import type { Judgement } from './judge-dkim.ts';

const FINE: Judgement = { status: 'found', problem: null };

/** Judges MX records: mail must come to `host` first. */
export function judgeMx(found: MxRecord[], host: string, domain: string): Judgement {
  const wanted = plain(host);
  const ours = found.filter((record) => plain(record.exchange) === wanted);
  const others = found.filter((record) => plain(record.exchange) !== wanted);
  const [first] = ours;
  if (!first) return wrong(noneOfOurs(others, wanted, domain));
  const best = Math.min(...ours.map((record) => record.priority));
  const before = others.find((record) => record.priority <= best);
  if (before)
    return wrong(
      `Mail also goes to ${shown(before.exchange)} (priority ${before.priority}): remove that record, or give ` +
        `${wanted} a smaller number than it.`,
    );
  return FINE;
}

const LOOK_UP = /^(?:[+?~-]?(?:include:|exists:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr(?:[:/]|$))|redirect=)/;
const MAX_LOOK_UPS = 10; // RFC 7208 section 4.6.4; look-ups inside an include are not counted

/** Judges the SPF record of the return path domain: exactly one, and it lets our host send. */
export function judgeSpf(values: string[], host: string): Judgement {
  const policies = values.filter((value) => /^"?v=spf1(\s|"|$)/i.test(value));
  const [policy] = policies;
  if (policy === undefined)
    return { status: 'missing', problem: 'There is no SPF record (v=spf1) at this name.' };
  if (policies.length > 1)
    return wrong('There are two SPF records: receivers then use neither (RFC 7208). Merge them into one.');
  if (policy.includes('"')) return wrong('The value holds quotation marks: publish it without them.');
  const terms = policy.toLowerCase().split(/\s+/);
  // RFC 7208 sections 4.6.4, 5.2 and 4.5: receivers end with permerror.
  if (terms.some((term) => /^[+?~-]?(?:include|exists):?$|^redirect=?$/.test(term)))
    return wrong('The SPF record has an include, exists or redirect without a name: remove it.');
  const all = terms.findIndex((term) => /^[+?~-]?all$/.test(term));
  const ours = terms.findIndex(
    (term) => /^\+?a:/.test(term) && plain(term.replace(/^\+?a:/, '')) === plain(host),
  );
  if (ours < 0) return wrong(`The SPF record does not name our servers: add a:${host} before "all".`);
  if (all >= 0 && all < ours) return wrong(`"a:${host}" comes after "all", where it is ignored.`);
  // Receivers read from the left until a term matches.
  const lookUps = terms.slice(0, ours + 1).filter((term) => LOOK_UP.test(term)).length;
  if (lookUps > MAX_LOOK_UPS)
    return wrong(
      `"a:${host}" is behind ${lookUps - 1} DNS look-ups: receivers stop after ${MAX_LOOK_UPS} (permerror). Put it first.`,
    );
  return FINE;
}

/** Judges the DMARC record. */
export function judgeDmarc(values: string[]): Judgement {
  const policies = values.filter((value) => /^"?v\s*=\s*DMARC1/i.test(value));
  const [policy] = policies;
  if (policy === undefined)
    return {
      status: 'missing',
      problem: 'There is no DMARC record; large mailbox providers require one from bulk senders.',
    };
  if (policies.length > 1) return wrong('There are two DMARC records: receivers then use neither. Keep one.');
  if (policy.includes('"')) return wrong('The value holds quotation marks: publish it without them.');
  if (!/;\s*p\s*=\s*(none|quarantine|reject)\b/i.test(policy))
    return wrong('The DMARC record has no policy: add p=none, p=quarantine or p=reject.');
  return FINE;
}

/** Judges the record that asks for TLS reports (RFC 8460 section 3): wherever it wants them. */
export function judgeTlsRpt(values: string[]): Judgement {
  const wanted = values.filter((value) => /^"?v=TLSRPTv1/i.test(value));
  if (wanted.length === 0)
    return {
      status: 'missing',
      problem: 'There is no TLS-RPT record; nobody reports failures of TLS to you.',
    };
  if (wanted.length > 1) return wrong('There are two TLS-RPT records: senders then use neither. Keep one.');
  if (!/;\s*rua\s*=\s*(mailto:|https:\/\/)/i.test(wanted[0]!))
    return wrong('The TLS-RPT record names nobody: add rua=mailto: and an address.');
  return FINE;
}

/** Judges the CNAME of the tracking host. */
export function judgeCname(targets: string[], host: string, domain: string): Judgement {
  if (targets.some((target) => plain(target) === plain(host))) return FINE;
  return wrong(
    `It points to ${shown(targets[0] ?? '')} and must point to ${plain(host)}${lostDot(targets, host, domain)}.`,
  );
}

function noneOfOurs(others: MxRecord[], wanted: string, domain: string): string {
  const [other] = others;
  if (!other || other.exchange === '')
    return `It says that the domain accepts no mail (null MX); it must point to ${wanted}.`;
  const hint = lostDot([other.exchange], wanted, domain);
  return `It points to ${shown(other.exchange)} and must point to ${wanted}${hint}.`;
}

// `mx.example.net` typed without its last dot becomes `mx.example.net.<zone>` at some providers.
function lostDot(targets: string[], host: string, domain: string): string {
  const zones = [domain, domain.slice(domain.indexOf('.') + 1)];
  const doubled = targets.some((target) => zones.some((zone) => plain(target) === `${plain(host)}.${zone}`));
  return doubled ? ': your provider added your own domain to it; write the value with a dot at its end' : '';
}

function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

// Names come from other people's DNS: printable and short.
function shown(host: string): string {
  return plain(host)
    .replace(/[^\x21-\x7e]/g, '?')
    .slice(0, 253);
}

function wrong(problem: string): Judgement {
  return { status: 'wrong', problem };
}
