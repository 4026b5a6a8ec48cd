// Domain names as they stand after the @ (RFC 5321 section 4.1.2, RFC 1035 section 2.3.4, RFC 5890 for IDN).
// Guarantee: one spelling per domain (lower case, A-labels), and no text that two programs would read as two
// domains.

import { domainToASCII, domainToUnicode } from 'node:url';
import { isAscii } from './unsafe-text.ts';

/** The normalised domain, or a reason fit for a customer. */
export type DomainResult = { ok: true; domain: string } | { ok: false; reason: string };

/** Octets, RFC 1035 section 2.3.4: 255 on the wire, which leaves 253 as text. */
const MAX_DOMAIN_OCTETS = 253;

/** Octets of one label, RFC 1035 section 2.3.4. */
const MAX_LABEL_OCTETS = 63;

// Ideographic, full-width, half-width, small and one-dot-leader full stops: IDNA maps some of them to a dot.
const DOT_LOOKALIKE = /[\u3002\uff0e\uff61\ufe52\u2024]/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const NOT_LDH = /[^a-z0-9.-]/;

/**
 * Reads one domain name of two labels or more. Promises lower case ASCII (IDN as A-labels) of at most 253
 * octets; refuses address literals, IP addresses, trailing dots, underscores and look-alike characters.
 */
export function parseDomain(text: string): DomainResult {
  if (text === '') return refuse('the domain is empty');
  // A U-label never needs more characters than its A-label needs octets, so this also bounds the IDNA work
  // below.
  if (text.length > MAX_DOMAIN_OCTETS) return refuse('the domain is longer than 253 octets');
  const lower = text.toLowerCase();
  const ascii = isAscii(lower) ? lower : idnToAscii(lower);
  if (ascii === null) return refuse('the domain is not a valid internationalised name');
  return checkLabels(ascii);
}

// domainToASCII parses a URL host: it decodes %41, turns 0x7f.1 into 127.0.0.1 and folds full-width letters.
// So it only ever sees letters, digits, hyphens, dots and characters above ASCII, and its answer must read
// back the same.
function idnToAscii(lower: string): string | null {
  if (DOT_LOOKALIKE.test(lower) || NOT_LDH.test(lower.replace(/\P{ASCII}/gu, ''))) return null;
  const composed = lower.normalize('NFC');
  if (composed !== lower.normalize('NFKC')) return null;
  const ascii = domainToASCII(composed);
  return ascii !== '' && domainToUnicode(ascii) === composed ? ascii : null;
}

function checkLabels(domain: string): DomainResult {
  if (domain.length > MAX_DOMAIN_OCTETS) return refuse('the domain is longer than 253 octets');
  const labels = domain.split('.');
  if (labels.length < 2) return refuse('the domain has no dot');
  for (const label of labels) {
    if (label === '') return refuse('the domain has an empty label');
    if (label.length > MAX_LABEL_OCTETS) return refuse('the domain has a label longer than 63 octets');
    if (!LABEL.test(label))
      return refuse('the domain has a label with characters other than letters, digits and inner hyphens');
  }
  // A last label of digits (or 0x…) is read as an IPv4 address by resolvers (WHATWG URL, inet_aton).
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return refuse('the domain ends like an IP address');
  if (domain.includes('xn--') && hasUndecodableLabel(domain))
    return refuse('the domain has an invalid xn-- label');
  return { ok: true, domain };
}

// domainToUnicode leaves a label that is not valid punycode as it is.
function hasUndecodableLabel(domain: string): boolean {
  return domainToUnicode(domain)
    .split('.')
    .some((label) => label.startsWith('xn--'));
}

function refuse(reason: string): DomainResult {
  return { ok: false, reason };
}
