// The content of a campaign: a template, or written here.

import type { ReactNode } from 'react';

import { CheckBox } from '../../ui/check-box.tsx';
import { Field, FieldSet } from '../../ui/field.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Select, TextArea, TextInput } from '../../ui/text-input.tsx';
import type { StepProps } from './audience-step.tsx';

export function ContentStep(props: StepProps): ReactNode {
  const { draft, onChange } = props;
  return (
    <>
      <Tabs
        label="Content source"
        value={draft.content}
        onChange={(content) => onChange({ ...draft, content: content === 'own' ? 'own' : 'template' })}
        tabs={[
          { id: 'template', label: 'Template', content: <FromTemplate {...props} /> },
          { id: 'own', label: 'Write content', content: <WrittenContent {...props} /> },
        ]}
      />
      <div className="mt-6">
        <FieldSet label="Tracking">
          <CheckBox
            label="Track opens"
            checked={draft.trackOpens}
            onChange={(event) => onChange({ ...draft, trackOpens: event.target.checked })}
          />
          <CheckBox
            label="Track clicks"
            checked={draft.trackClicks}
            onChange={(event) => onChange({ ...draft, trackClicks: event.target.checked })}
          />
        </FieldSet>
      </div>
    </>
  );
}

function FromTemplate({ draft, onChange, choices, fieldError }: StepProps): ReactNode {
  const template = choices.templates.find(({ id }) => id === draft.templateId);
  return (
    <div className="max-w-2xl space-y-5">
      <Field
        label="Template"
        error={
          choices.templates.length === 0
            ? 'No templates yet. Create one, or write the content here.'
            : fieldError('templateId')
        }
      >
        <Select
          value={draft.templateId}
          onChange={(event) => onChange({ ...draft, templateId: event.target.value })}
          options={choices.templates.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      <Field
        label="Subject"
        optional
        hint={`If empty, the template’s subject is used${template ? `: ${template.subject}` : ''}.`}
        error={fieldError('subject')}
      >
        <TextInput
          value={draft.subject}
          onChange={(event) => onChange({ ...draft, subject: event.target.value })}
        />
      </Field>
    </div>
  );
}

function WrittenContent({ draft, onChange, fieldError }: StepProps): ReactNode {
  return (
    <div className="space-y-5">
      <Field
        label="Subject"
        hint="Variables are filled in from each contact: {{ first_name }}, {{ email }} and its attributes."
        error={fieldError('subject')}
      >
        <TextInput
          value={draft.subject}
          onChange={(event) => onChange({ ...draft, subject: event.target.value })}
        />
      </Field>
      <Field label="HTML" optional error={fieldError('html')}>
        <TextArea
          code
          rows={12}
          value={draft.html}
          onChange={(event) => onChange({ ...draft, html: event.target.value })}
        />
      </Field>
      <Field label="Text" optional hint="If empty, it is generated from the HTML." error={fieldError('text')}>
        <TextArea
          code
          rows={5}
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.target.value })}
        />
      </Field>
    </div>
  );
}
