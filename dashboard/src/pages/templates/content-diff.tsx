// What two contents of a template differ in, part by part.

import type { ReactNode } from 'react';

import { CodeDiff } from '../../ui/code-diff.tsx';

/** What a template says. */
export interface TemplateContent {
  subject: string;
  html?: string | null | undefined;
  text?: string | null | undefined;
  variables: readonly { name: string; required: boolean; default?: unknown }[];
}

/** `before` is shown as taken away, `after` as added. */
export function ContentDiff({
  before,
  after,
}: {
  before: TemplateContent;
  after: TemplateContent;
}): ReactNode {
  const parts = PARTS.map(({ label, language, read }) => ({
    label,
    language,
    before: read(before),
    after: read(after),
  })).filter((part) => part.before !== part.after);
  if (parts.length === 0) return <p className="text-muted">There is no difference in the content.</p>;
  return (
    <div className="space-y-4">
      {parts.map((part) => (
        <section key={part.label}>
          <h3 className="mb-1 font-medium">{part.label}</h3>
          <CodeDiff {...part} label={`Changes of ${part.label.toLowerCase()}`} />
        </section>
      ))}
    </div>
  );
}

const PARTS: readonly {
  label: string;
  language: 'html' | 'text' | 'json';
  read: (content: TemplateContent) => string;
}[] = [
  { label: 'Subject', language: 'text', read: ({ subject }) => subject },
  { label: 'HTML', language: 'html', read: ({ html }) => html ?? '' },
  { label: 'Text', language: 'text', read: ({ text }) => text ?? '' },
  { label: 'Variables', language: 'json', read: ({ variables }) => variables.map(lineOf).join('\n') },
];

function lineOf({ name, required, default: preset }: TemplateContent['variables'][number]): string {
  return JSON.stringify({ name, required, default: preset ?? null });
}
