// The documents, as a list.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { DOCS } from '../../shell/help.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** All documents. */
export function DocsPage(): ReactNode {
  return (
    <>
      <PageHeader
        title="Documentation"
        description="How this service works, from the version that you use."
      />
      <Card>
        <ul className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
          {DOCS.map(({ name, title }) => (
            <li key={name}>
              <Link href={`/docs/${name}`} className="text-accent-strong hover:underline">
                {title}
              </Link>
            </li>
          ))}
          <li>
            <a href="/api/v1/docs" className="text-accent-strong hover:underline">
              REST API reference
            </a>
          </li>
        </ul>
      </Card>
    </>
  );
}
