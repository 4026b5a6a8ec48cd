// One address in several spellings: clients write it as they like, and the rules compare what it means.

import { domainToASCII, domainToUnicode } from 'node:url';

const SPELLED = 0.3; // of the addresses that are written

/** The address without a display name, quotes and upper case, its domain in A-labels. */
export function canonical(text: string): string {
  const address = (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).replace(/^"(.*)"$/, '$1');
  return `${local.toLowerCase()}@${domainToASCII(address.slice(at + 1))}`;
}

/** The same address as somebody may write it: other case, a display name, a quoted local part, U-labels. */
export function spell(address: string, random: () => number): string {
  if (random() >= SPELLED) return address;
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const ways = [
    `${local.toUpperCase()}@${domain}`,
    `${local}@${domain.toUpperCase()}`,
    `"${local}"@${domain}`,
    `${local}@${domainToUnicode(domain)}`,
    `Ann Müller <${local}@${domain}>`,
    `"Müller, Ann" <${local.toUpperCase()}@${domainToUnicode(domain)}>`,
  ];
  return ways[Math.floor(random() * ways.length)]!;
}
