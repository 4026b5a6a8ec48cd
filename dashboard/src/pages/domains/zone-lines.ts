// Records as lines of a zone file (RFC 1035 section 5.1), which DNS providers import.

const MOST_TXT = 255; // octets of one string of a TXT record (RFC 1035 section 3.3)

/** A DNS record of the API. */
export interface ZoneRecord {
  type: string;
  name: string;
  value: string;
  priority: number | null;
}

/** All records, one per line. */
export function zoneLines(records: readonly ZoneRecord[]): string {
  return records.map((one) => `${one.name}.\tIN\t${one.type}\t${data(one)}`).join('\n');
}

function data({ type, value, priority }: ZoneRecord): string {
  if (type === 'TXT') return strings(value);
  const host = `${value}.`;
  return type === 'MX' ? `${priority ?? 10} ${host}` : host;
}

// A DKIM key is longer than one string may be; receivers join the strings.
function strings(value: string): string {
  const parts: string[] = [];
  for (let at = 0; at < value.length; at += MOST_TXT) parts.push(value.slice(at, at + MOST_TXT));
  return parts.map((part) => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join(' ');
}
