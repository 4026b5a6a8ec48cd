// Keys for one domain, which may send from it and nothing else.

/** What somebody is told who asks for more with such a key. */
export function mayOnlySendFrom(domain: string): string {
  return `The API key may only send from ${domain}. Use another key for anything else.`;
}
