// The rendered message, with the test data for the variables. HTML is shown in the sandboxed frame only.

import type { ReactNode } from 'react';

import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { filledTestData, type TemplateDraft } from './template-draft.ts';
import type { Preview } from './use-preview.ts';

export function TemplatePreview({
  preview,
  draft,
  onTestData,
  problem: fieldProblem,
}: {
  preview: Preview;
  draft: TemplateDraft;
  onTestData: (testData: string) => void;
  problem: (field: string) => string | undefined;
}): ReactNode {
  const { rendered, problem, running } = preview;
  return (
    <Card
      title="Preview"
      description="The message as recipients see it, updated as you type."
      actions={<span className="text-muted text-[13px]">{running ? 'Rendering' : 'Up to date'}</span>}
    >
      <TestData draft={draft} onChange={onTestData} error={fieldProblem('testData')} />
      <div role="status">
        {problem === null ? null : (
          <p className="bg-warn-soft text-warn mb-4 rounded-md px-3 py-2 [overflow-wrap:anywhere]">
            {problem}
          </p>
        )}
      </div>
      {rendered ? (
        <>
          <p className="mb-4">
            <span className="text-muted">Subject: </span>
            <span className="font-medium [overflow-wrap:anywhere]">{rendered.subject}</span>
          </p>
          <Tabs
            label="Parts of the message"
            tabs={[
              {
                id: 'html',
                label: 'HTML',
                content:
                  rendered.html === '' ? (
                    <p className="text-muted">No HTML part.</p>
                  ) : (
                    <MailFrame html={rendered.html} title="Preview of the message" />
                  ),
              },
              {
                id: 'text',
                label: 'Text',
                content: (
                  <pre className="bg-subtle max-h-[32rem] overflow-auto rounded-md p-3 font-mono text-[13px] break-words whitespace-pre-wrap">
                    {rendered.text}
                  </pre>
                ),
              },
            ]}
          />
        </>
      ) : problem !== null ? null : running ? (
        <Skeleton className="h-48 w-full" />
      ) : (
        <EmptyState title="No content yet">Enter HTML, text, or both.</EmptyState>
      )}
    </Card>
  );
}

function TestData({
  draft,
  onChange,
  error,
}: {
  draft: TemplateDraft;
  onChange: (testData: string) => void;
  error: string | undefined;
}): ReactNode {
  return (
    <details open className="mb-5 rounded-md border px-3 py-2">
      <summary className="font-medium">Test data</summary>
      <div className="mt-3 mb-1 space-y-3">
        <Field
          label="Test data as JSON"
          hint="Saved with the template and used by this preview only. A variable that is missing here shows its default or its name."
          error={error}
        >
          <CodeEditor language="json" value={draft.testData} onChange={onChange} />
        </Field>
        <Button size="small" onClick={() => onChange(filledTestData(draft))}>
          Fill in the variables
        </Button>
      </div>
    </details>
  );
}
