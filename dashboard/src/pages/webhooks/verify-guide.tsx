// How an endpoint verifies the signature of an event, with the libraries of Standard Webhooks.

import type { ReactNode } from 'react';

import { Card } from '../../ui/card.tsx';
import { Code, CodeBlock } from '../../ui/code-block.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const NODE = `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…

// body: the raw text of the request, before anything parses it
export function readEvent(body, headers) {
  return webhook.verify(body, headers); // throws if the signature is wrong
}`;

const PYTHON = `# pip install standardwebhooks
import os
from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])  # whsec_…

# body: the raw text of the request, before anything parses it
def read_event(body: str, headers: dict[str, str]):
    return webhook.verify(body, headers)  # raises if the signature is wrong`;

/** The instructions, with examples for Node and Python. */
export function VerifyGuide(): ReactNode {
  return (
    <Card
      title="Verify the signature"
      description="Anyone can post to your endpoint. The signature proves that a request is ours."
    >
      <Tabs
        label="Language"
        tabs={[
          { id: 'node', label: 'Node', content: <CodeBlock code={NODE} label="example for Node" /> },
          { id: 'python', label: 'Python', content: <CodeBlock code={PYTHON} label="example for Python" /> },
        ]}
      />
      <ul className="marker:text-muted mt-4 list-disc space-y-1.5 pl-5">
        <li>
          <Code>webhook-id</Code> is the same on every attempt and after a replay. Use it to detect
          duplicates.
        </li>
        <li>
          Store the event, then respond with 2xx within 10 seconds. Other responses are retried, 7 attempts in
          all over about 31 hours; a 4xx status other than 429 ends the delivery, and 410 disables the
          webhook.
        </li>
        <li>
          Events may arrive out of order. Use their <Code>timestamp</Code>.
        </li>
      </ul>
    </Card>
  );
}
