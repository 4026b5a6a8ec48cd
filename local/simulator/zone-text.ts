// DNS records as people write them: the lines of a zone file (RFC 1035 section 5.1) with full names. What the dashboard
// copies for a domain is in this form.

import type { z } from 'zod';

import { dnsRecord, type DnsRecord } from './zone.ts';

const MAX_LINES = 1_000;
const LINE = /^(?<name>\S+)\s+(?:\d+\s+)?(?:IN\s+)?(?<type>[A-Z]+)\s+(?<rest>.*\S)\s*$/i;
const QUOTED = /"((?:[^"\\]|\\.)*)"/g;

/** The records of the lines, or what is wrong with the first line that is not one. Empty lines and comments are left out. */
export function parseZoneText(text: string): { records: DnsRecord[] } | { error: string } {
  const lines = text.split(/\r?\n/);
  if (lines.length > MAX_LINES) return { error: `more than ${MAX_LINES} lines` };
  const records: DnsRecord[] = [];
  for (const [at, line] of lines.entries()) {
    if (/^\s*(;.*)?$/.test(line)) continue;
    const fields = LINE.exec(line)?.groups;
    if (!fields) return { error: `line ${at + 1} is not: name type value` };
    const parsed = dnsRecord.safeParse(toRecord(fields['name']!, fields['type']!, fields['rest']!));
    if (!parsed.success) return { error: `line ${at + 1}: ${explain(parsed.error)}` };
    records.push(parsed.data);
  }
  return { records };
}

function toRecord(name: string, typed: string, rest: string): unknown {
  const type = typed.toUpperCase();
  if (type === 'TXT') return { name, type, value: rest.startsWith('"') ? unquoted(rest) : rest };
  const mx = type === 'MX' ? /^(\d+)\s+(\S+)$/.exec(rest) : null;
  return mx ? { name, type, priority: Number(mx[1]), value: mx[2] } : { name, type, value: rest };
}

// A TXT record is one or more quoted strings of up to 255 octets, read as one (RFC 7208 section 3.3).
function unquoted(text: string): string {
  return [...text.matchAll(QUOTED)].map(([, inside = '']) => inside.replaceAll(/\\(.)/g, '$1')).join('');
}

function explain(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.')} ${issue.message}` : 'is not a record';
}
