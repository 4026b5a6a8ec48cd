// Reads DMARC aggregate reports: XML of RFC 7489 appendix C, of RFC 9990, and of the drafts before. Element by element, so
// that memory does not grow with the number of records. Real reports are often no XML in its strict sense (an address in
// angle brackets, ampersands as they are), so the reader is forgiving; what would make it dangerous, a DTD with entities,
// is refused altogether (reports have none).

import sax from 'sax';

import {
  addCount,
  createSources,
  NO_SOURCE,
  NotAReport,
  periodOf,
  plainDomain,
  shortText,
} from './report.ts';
import type { AggregateReport } from './report.ts';

const MAX_DEPTH = 32; // the schema has 6
const MAX_ATTRIBUTES = 50; // of one element; reports have namespaces and languages
const MAX_TEXT = 1_000; // characters of one element
const SLICE = 64 * 1024; // characters at a time: what a parser holds of an element that does not end

/** Short texts of elements, by path below `feedback` or `record`. */
type Fields = Map<string, string>;

// What is kept, so that memory does not grow with the names that somebody makes up.
const KEPT: ReadonlySet<string> = new Set([
  ...['org_name', 'email', 'report_id', 'date_range/begin', 'date_range/end'].map(
    (name) => `report_metadata/${name}`,
  ),
  'policy_published/domain',
  ...['source_ip', 'count'].map((name) => `row/${name}`),
  ...['disposition', 'dkim', 'spf', 'reason/type', 'reason/comment'].map(
    (name) => `row/policy_evaluated/${name}`,
  ),
  'identifiers/header_from',
  ...['dkim/domain', 'dkim/result', 'spf/domain', 'spf/result'].map((name) => `auth_results/${name}`),
]);

const AUTH = 'auth'; // no path: what passed and failed, in words

/** Reads a report. Throws NotAReport. `now` is the clock, in milliseconds. */
export function readDmarcReport(xml: string, now: number): AggregateReport {
  const head: Fields = new Map();
  let record: Fields = new Map();
  const sources = createSources();
  const sums = { total: 0, passed: 0 };
  const counted = { records: 0 };
  const complete = walk(xml, (path, text) => {
    if (path === 'record') {
      const { count, ...source } = readRecord(record);
      sums.total = addCount(sums.total, count);
      if (source.result === 'pass') sums.passed += count;
      sources.add({ ...source, count });
      counted.records++;
      record = new Map();
    } else if (path.startsWith('record/')) put(record, path.slice('record/'.length), text);
    else put(head, path, text);
  });
  if (!complete) throw new NotAReport('it is no DMARC report, or not a whole one');
  if (counted.records === 0) throw new NotAReport('it has no records');
  return {
    ...readHead(head, now),
    total: sums.total,
    passed: sums.passed,
    failed: sums.total - sums.passed,
    sources: sources.list(),
  };
}

function readHead(
  head: Fields,
  now: number,
): Pick<AggregateReport, 'type' | 'reporter' | 'reportId' | 'domain' | 'from' | 'to'> {
  const of = (path: string) => head.get(path) ?? '';
  const seconds = (path: string) => Number(/^\d{1,10}/.exec(of(path))?.[0] ?? Number.NaN) * 1000;
  const reporter = of('report_metadata/org_name') || of('report_metadata/email').replace(/^.*@/, '');
  const reportId = of('report_metadata/report_id');
  const domain = plainDomain(of('policy_published/domain'));
  if (reporter === '' || reportId === '' || domain === '')
    throw new NotAReport('its reporter, id or domain is missing');
  const period = periodOf(
    seconds('report_metadata/date_range/begin'),
    seconds('report_metadata/date_range/end'),
    now,
  );
  return { type: 'dmarc', reporter, reportId, domain, ...period };
}

function readRecord(fields: Fields) {
  const of = (path: string) => fields.get(path) ?? '';
  const aligned = (name: string) =>
    of(`row/policy_evaluated/${name}`).toLowerCase() === 'pass' ? 'pass' : 'fail';
  const count = of('row/count');
  const [dkim, spf] = [aligned('dkim'), aligned('spf')] as const;
  return {
    ...NO_SOURCE,
    source: of('row/source_ip') || null,
    count: /^\d{1,16}$/.test(count) ? Number(count) : Number.NaN,
    result: dkim === 'pass' || spf === 'pass' ? 'pass' : 'fail',
    dkim,
    spf,
    disposition: of('row/policy_evaluated/disposition').toLowerCase() || null,
    header_from: plainDomain(of('identifiers/header_from')) || null,
    auth: of(AUTH) || null,
    reason:
      [of('row/policy_evaluated/reason/type'), of('row/policy_evaluated/reason/comment')]
        .filter(Boolean)
        .join(': ') || null,
  } as const;
}

function put(fields: Fields, path: string, text: string): void {
  const method = /^auth_results\/(dkim|spf)$/.exec(path)?.[1];
  if (method) addResult(fields, method);
  else if (KEPT.has(path) && !fields.has(path)) fields.set(path, shortText(text));
}

// `dkim=pass (example.com)`, as of RFC 8601; of each signature, as its element ends.
function addResult(fields: Fields, method: string): void {
  const take = (name: string) => {
    const path = `auth_results/${method}/${name}`;
    const value = fields.get(path) ?? '';
    fields.delete(path);
    return value;
  };
  const [domain, word] = [plainDomain(take('domain')), take('result').toLowerCase()];
  if (word === '') return;
  const one = `${method}=${word}${domain === '' ? '' : ` (${domain})`}`;
  fields.set(AUTH, shortText(`${fields.get(AUTH) ?? ''} ${one}`));
}

// Calls `closed` with each element below `feedback` when it ends. Whether the whole of `feedback` was there.
function walk(xml: string, closed: (path: string, text: string) => void): boolean {
  const parser = sax.parser(false, { lowercase: true, noscript: true, ...STRICT_ENTITIES });
  const open: { path: string; text: string }[] = [];
  let attributes = 0;
  let complete = false;
  const add = (text: string) => {
    const top = open.at(-1);
    if (top && top.text.length < MAX_TEXT) top.text += text.slice(0, MAX_TEXT);
  };
  const handlers: Partial<sax.SAXParser> = {
    ondoctype() {
      throw new NotAReport('it has a DTD');
    },
    onopentagstart() {
      attributes = 0;
    },
    onattribute() {
      if (++attributes > MAX_ATTRIBUTES) throw new NotAReport('an element has too many attributes');
    },
    onopentag({ name }) {
      if (complete) return;
      if (open.length === MAX_DEPTH) throw new NotAReport('its XML is nested too deeply');
      const local = name.slice(name.indexOf(':') + 1);
      if (open.length === 0 && local === 'schema') return; // some reporters put one around it
      if (open.length === 0 && local !== 'feedback') throw new NotAReport('it is no DMARC report');
      const above = open.length < 2 ? '' : `${open.at(-1)!.path}/`;
      open.push({ path: `${above}${local}`, text: '' });
    },
    ontext: add,
    oncdata: add,
    onclosetag() {
      const top = open.pop();
      if (!top) return;
      if (open.length === 0) complete = true;
      else closed(top.path, top.text);
    },
    onerror(error) {
      throw new NotAReport(`its XML is broken: ${shortText(error.message)}`);
    },
  };
  Object.assign(parser, handlers);
  for (let at = 0; at < xml.length && !complete; at += SLICE) parser.write(xml.slice(at, at + SLICE));
  return complete;
}

// Not in the types: only the five entities of XML, none of HTML.
const STRICT_ENTITIES = { strictEntities: true };
