// Which addresses mail may go out to. An MX record is untrusted input: without this check it could point our
// sender at our own stores, or at a cloud's metadata service.

import ipaddr from 'ipaddr.js';

/** Whether an IP address is on the public internet: unicast, not private, local, shared, mapped or documentation. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // ::ffff:10.0.0.1 is judged as 10.0.0.1
  return parsed.range() === 'unicast';
}
