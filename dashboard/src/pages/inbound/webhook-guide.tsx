// How an endpoint verifies the signature of a delivery.

import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { Code, CodeBlock } from '../../ui/code-block.tsx';

const EXAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the raw bytes of the request, before anything parses them
function isOurs(body, headers) {
  const hmac = createHmac('sha256', process.env.WEBHOOK_SECRET).update(body);
  const expected = Buffer.from('hmac-sha256=' + hmac.digest('hex'));
  const given = Buffer.from(headers['x-svc-inbound-sig'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}`;

/** The instructions, with an example in Node. */
export function WebhookGuide(): ReactNode {
  return (
    <Card
      title="Verify the signature"
      description="Anyone can post to your endpoint. The signature proves that a request is ours."
    >
      <CodeBlock code={EXAMPLE} label="example for Node" />
      <ul className="marker:text-muted mt-4 list-disc space-y-1.5 pl-5">
        <li>The body is the raw message (RFC 5322), not JSON. Verify the signature before you parse it.</li>
        <li>
          The recipient is in <Code>X-Svc-Inbound-Recipient</Code>. A blind-copied recipient is not in the
          headers of the message.
        </li>
        <li>
          <Code>X-Svc-Inbound-Delivery</Code> is the same on every attempt. Use it to detect duplicates.
        </li>
        <li>
          Store the message, then respond with 2xx within 10 seconds. 429 with <Code>Retry-After</Code> delays
          the next attempt; any other 4xx ends the delivery.
        </li>
        <li>
          Complete receivers in TypeScript, Python and Go are in <Code>docs/receiver-examples</Code>. Your
          administrator may have changed <Code>Svc</Code> in the header names.
        </li>
      </ul>
    </Card>
  );
}
