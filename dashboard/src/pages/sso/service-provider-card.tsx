// What to enter at the identity provider.

import type { ReactNode } from 'react';

import type { SsoSettingsQuery } from '../../gen/pages/sso/sso.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';

/** Our URLs and IDs, each with a copy button. */
export function ServiceProviderCard({
  provider,
}: {
  provider: SsoSettingsQuery['samlServiceProvider'];
}): ReactNode {
  const rows = [
    { label: 'Entity ID', also: 'audience, identifier', value: provider.entityId },
    { label: 'ACS URL', also: 'reply URL, recipient, destination; HTTP-POST', value: provider.acsUrl },
    { label: 'Sign-on URL', also: 'start URL', value: provider.loginUrl },
    { label: 'Metadata', also: 'if it imports a file or URL', value: provider.metadataUrl },
  ];
  return (
    <Card
      title="1. At your identity provider"
      description="Create a SAML 2.0 application there and enter these values."
    >
      <div className="grid gap-4 lg:grid-cols-2">
        {rows.map(({ label, also, value }) => (
          <div key={label} className="min-w-0">
            <p className="mb-1.5 font-medium">
              {label} <span className="text-muted text-[13px] font-normal">{also}</span>
            </p>
            <CodeBlock code={value} label={label} wrap />
          </div>
        ))}
      </div>
      <ul className="text-muted mt-4 list-disc space-y-1 pl-5">
        <li>Name ID: the person’s email address, in the email address format.</li>
        <li>Sign the assertion with RSA and SHA-256 or better. Do not encrypt it.</li>
        <li>Leave the default RelayState empty. Our requests are not signed.</li>
      </ul>
    </Card>
  );
}
