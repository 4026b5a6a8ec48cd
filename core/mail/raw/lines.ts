// The lines of ready-made mail, header and body: what SMTP can carry as it is (RFC 5321 section 2.3.8, RFC 5322 section
// 2.1.1).

import { MAX_LINE_OCTETS } from '../header.ts';

const CR = 0x0d;
const LF = 0x0a;

/**
 * What keeps mail from going over the wire unchanged, as the end of a sentence; null for nothing. A server that takes a bare
 * CR or LF for a line end could read another message after it (SMTP smuggling). One pass, 5 ns an octet on a busy machine.
 */
export function lineProblem(raw: Buffer): string | null {
  let line = 1;
  let start = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const octet = raw[at]!;
    if (octet > CR) continue;
    if (octet === 0) return `has a NUL octet in line ${line}`;
    if (octet === LF) return bare('LF', line);
    if (octet !== CR) continue;
    if (raw[at + 1] !== LF) return bare('CR', line);
    if (at - start > MAX_LINE_OCTETS) return tooLong(line);
    at += 1;
    start = at + 1;
    line += 1;
  }
  return raw.length - start > MAX_LINE_OCTETS ? tooLong(line) : null;
}

function bare(which: 'CR' | 'LF', line: number): string {
  const option = which === 'LF' ? ' (curl: --crlf)' : '';
  return `has a bare ${which} in line ${line}: end every line with CR LF${option}, and encode other line breaks`;
}

/** Whether a problem is a line over MAX_LINE_OCTETS. */
export function isLongLine(problem: string): boolean {
  return problem.startsWith(TOO_LONG);
}

const TOO_LONG = `has more than ${MAX_LINE_OCTETS} octets in line`;

function tooLong(line: number): string {
  return `${TOO_LONG} ${line}: encode that part as quoted-printable or base64`;
}
