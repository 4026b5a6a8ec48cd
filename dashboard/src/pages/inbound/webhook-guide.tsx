// How a program checks that a delivery is ours.

import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { Code, CodeBlock } from '../../ui/code-block.tsx';

const EXAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the bytes of the request as they came, before anything parses them
function isOurs(body, headers) {
  const hmac = createHmac('sha256', process.env.WEBHOOK_SECRET).update(body);
  const expected = Buffer.from('hmac-sha256=' + hmac.digest('hex'));
  const given = Buffer.from(headers['x-svc-inbound-sig'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}`;

/** The guide below the settings. */
export function WebhookGuide(): ReactNode {
  return (
    <Card
      title="Checking the signature"
      description="Anybody can post to your URL. Only the signature says that it was us."
    >
      <CodeBlock code={EXAMPLE} label="example for Node" />
      <ul className="marker:text-muted mt-4 list-disc space-y-1.5 pl-5">
        <li>The body is the message as it came (RFC 5322), not JSON. Check it before you look into it.</li>
        <li>
          Who it is for stands in <Code>X-Svc-Inbound-Recipient</Code>; a blind-copied recipient is in no
          header of the message.
        </li>
        <li>
          <Code>X-Svc-Inbound-Delivery</Code> is the same on every try: use it to see a repeat.
        </li>
        <li>
          Store the message, then answer 2xx within 10 seconds. 429 with <Code>Retry-After</Code> puts it off;
          any other 4xx ends the delivery.
        </li>
        <li>
          Whole receivers in TypeScript, Python and Go are in the folder <Code>docs/receiver-examples</Code>{' '}
          of this service. Its operator can replace <Code>Svc</Code> in the names of the headers.
        </li>
      </ul>
    </Card>
  );
}
