// What the OpenAPI document says of addresses and domain names: as much of address.ts and domain-name.ts as JSON Schema
// can. Every value that is an address to both is accepted; what only address.ts can tell (look-alikes, IDNA) is not here.

import { CONTROLS } from '../base/text-input.ts';
import { REORDERERS } from './unsafe-text.ts';

/** An address without a name. */
export const ADDRESS_FORM = {
  type: 'string',
  format: 'idn-email',
  pattern: '^[^@\\s]{1,64}@[^@\\s]+\\.[^@\\s.]+$',
  maxLength: 254,
} as const;

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const DOMAIN = `${LABEL}(?:\\.${LABEL})*\\.[A-Za-z][A-Za-z0-9]{0,62}`;
const NAMED_ADDRESS = `<(?![^@]{65})(?![^>]{255})${ATOM}(?:\\.${ATOM})*@${DOMAIN}>`;
// As address.ts reads a name: a quoted string, or a phrase without specials. `=` and `?` begin encoded words.
const QUOTED = `"(?:[^"\\\\${CONTROLS}${REORDERERS}]|\\\\[^${CONTROLS}${REORDERERS}]){0,200}"`;
const PHRASE = `[^()<>\\[\\]:;@\\\\,"${CONTROLS}${REORDERERS}]{0,200}`;

/** `address` or `Name <address>`, as one string. */
export const MAILBOX_FORM = {
  type: 'string',
  maxLength: 1_200,
  anyOf: [ADDRESS_FORM, { type: 'string', pattern: `^(?:${QUOTED}|${PHRASE}) ?${NAMED_ADDRESS}$` }],
} as const;

/** `*@domain`: every address of a domain. */
export const EVERY_ADDRESS_FORM = {
  type: 'string',
  pattern: `^\\*@(?!.{254})${DOMAIN}$`,
} as const;

/** A domain name. */
export const DOMAIN_FORM = {
  format: 'idn-hostname',
  pattern: '^[^.]+(?:\\.[^.]+)+$',
  maxLength: 229,
} as const;
