// A receiver gets what was asked for: subject, words, attachments, addresses and headers are those of a request to exactly this
// recipient, and the domain's signature verifies.

import type { Asked } from './asked.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

/** Each message that came over the wire whole is one that was asked for. Without any request it is a finding of `unasked`. */
export function checkContent({ wire, askedBy }: Evidence): Finding[] {
  return [...wire].flatMap(([recipient, transactions]) => {
    const asked = (askedBy.get(recipient) ?? []).filter(({ request }) => request.contents.length > 0);
    if (asked.length === 0) return [];
    const contents = new Set(asked.map((one) => contentFor(one, recipient)));
    return transactions.flatMap(({ dot }) => {
      if (!dot) return [];
      const say = (what: string): Finding => ({ rule: 'content', about: recipient, what, t: dot.t });
      return [
        ...(contents.has(dot.content)
          ? []
          : [say(`got "${dot.subject}", and no request to it had that content`)]),
        ...(dot.dkim === 'pass' ? [] : [say(`got mail whose signature does not verify: ${dot.dkim}`)]),
      ];
    });
  });
}

function contentFor({ request }: Asked, recipient: string): string {
  return request.contents[request.recipients.indexOf(recipient)]!;
}
