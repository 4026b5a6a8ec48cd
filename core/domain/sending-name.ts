// Which names can be sending domains.

import type { Config } from '../base/config.ts';
import { invalidField } from '../base/errors.ts';
import { parseDomain } from '../mail/domain-name.ts';
import { RETURN_PATH_LABEL } from './domain.ts';

/** The settings that say which names are ours. */
export type OurNames = Pick<Config, 'INBOUND_HOSTNAME' | 'OUTBOUND_HOSTNAME' | 'PUBLIC_URL'>;

// `<selector>._domainkey.<name>` must stay within 253 octets (RFC 1035 section 2.3.4); selectors have 13 at most.
const MAX_NAME_CHARS = 253 - '._domainkey.'.length - 13;

// Names that no registry hands out (RFC 6761, 6762, 7686). `.test` and `.example` stay usable: nobody can
// publish records there but in a DNS of their own.
const NEVER_PUBLIC = new Set(['arpa', 'invalid', 'local', 'localhost', 'onion']);

// The two-label registries that people type by mistake. Not the whole public suffix list: whoever claims another
// registry's name cannot publish its records and so never verifies it.
const REGISTRIES = new Set(
  (
    'co.uk org.uk me.uk ac.uk gov.uk com.au net.au org.au co.nz co.jp or.jp com.br com.mx com.ar co.in co.za ' +
    'com.cn com.hk com.sg com.tr com.tw co.kr co.il com.pl com.ua co.id com.my co.th'
  ).split(' '),
);

/** The normalised name (lower-case ASCII). Throws `validation_failed` for one that cannot be a sending domain. */
export function checkSendingName(text: string, ours: OurNames): string {
  const parsed = parseDomain(text.trim().replace(/\.$/, ''));
  if (!parsed.ok) throw invalidField('name', `is not valid: ${parsed.reason}`);
  const problem = problemOf(parsed.domain, ours);
  if (problem !== null) throw invalidField('name', problem);
  return parsed.domain;
}

function problemOf(name: string, ours: OurNames): string | null {
  if (name.length > MAX_NAME_CHARS)
    return `must have at most ${MAX_NAME_CHARS} characters, so that its DKIM record has a name`;
  if (NEVER_PUBLIC.has(name.slice(name.lastIndexOf('.') + 1))) return 'is not a name in the public DNS';
  if (REGISTRIES.has(name)) return 'is a public suffix. Use a domain below it';
  if (name.startsWith(`${RETURN_PATH_LABEL}.`))
    return `cannot begin with "${RETURN_PATH_LABEL}.", which is reserved for the return path of ${name.slice(RETURN_PATH_LABEL.length + 1)}`;
  if (ourHosts(ours).some((host) => name === host || name.endsWith(`.${host}`)))
    return 'belongs to this service';
  return null;
}

function ourHosts(ours: OurNames): string[] {
  const hosts = [ours.INBOUND_HOSTNAME, ours.OUTBOUND_HOSTNAME, new URL(ours.PUBLIC_URL).hostname];
  return hosts.map((host) => host.toLowerCase()).filter((host) => host.includes('.'));
}
