// The template editor, with a live preview of the message.

import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import {
  CreateTemplateDocument,
  UpdateTemplateDocument,
  type TemplateDetailFragment,
} from '../../gen/pages/templates/template.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TextArea, TextInput } from '../../ui/text-input.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DeleteTemplateDialog } from './delete-template-dialog.tsx';
import { contentOf, draftOf, type TemplateDraft } from './template-draft.ts';
import { TemplatePreview } from './template-preview.tsx';
import { TemplateVariables } from './template-variables.tsx';
import { usePreview } from './use-preview.ts';

const FIELDS = ['name', 'subject', 'html', 'text', 'variables'];

/** Edits a template; null creates a new one. */
export function TemplateEditor({ template }: { template: TemplateDetailFragment | null }): ReactNode {
  const [, navigate] = useLocation();
  const toast = useToast();
  const [draft, setDraft] = useState<TemplateDraft>(() => draftOf(template));
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [deleting, setDeleting] = useState(false);
  const creating = useMutationForm(CreateTemplateDocument, FIELDS);
  const updating = useMutationForm(UpdateTemplateDocument, FIELDS);
  const preview = usePreview(draft, values);
  const form = template === null ? creating : updating;
  const save = async () => {
    const content = { name: draft.name.trim(), ...contentOf(draft) };
    if (template === null) {
      const done = await creating.run({ input: content });
      if (done === null) return;
      toast('Template saved');
      navigate(`/templates/${done.createTemplate.template.id}`, { replace: true });
    } else if ((await updating.run({ input: { id: template.id, ...content } })) !== null) {
      toast('Template saved');
    }
  };
  // Errors of saving are shown until the preview has newer ones.
  const problem = (field: string) => preview.fieldError(field) ?? form.fieldError(field);
  return (
    <>
      <PageHeader
        title={template?.name ?? 'New template'}
        back={{ href: '/templates', label: 'Templates' }}
        badge={template ? <Badge>version {template.version}</Badge> : undefined}
        description={template ? <Identity template={template} /> : 'Write variables as {{ name }}.'}
        actions={
          template ? (
            <Button icon={Trash2} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          ) : undefined
        }
      />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!form.running) void save();
          }}
        >
          <Card title="Content">
            <ContentFields draft={draft} onChange={setDraft} problem={problem} />
            <TemplateVariables draft={draft} onChange={setDraft} problem={problem} />
            <div className="mt-5">
              <FormError message={form.error} />
            </div>
            <DialogFooter>
              <Button type="submit" variant="primary" busy={form.running}>
                {template === null ? 'Create template' : 'Save new version'}
              </Button>
            </DialogFooter>
          </Card>
        </form>
        <TemplatePreview preview={preview} draft={draft} values={values} onValues={setValues} />
      </div>
      {template ? (
        <DeleteTemplateDialog template={template} open={deleting} onClose={() => setDeleting(false)} />
      ) : null}
    </>
  );
}

function Identity({ template }: { template: TemplateDetailFragment }): ReactNode {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span>
        Updated <Time value={template.updatedAt} />
      </span>
      <span className="inline-flex items-center gap-1">
        <span className="font-mono text-[13px] break-all">{template.id}</span>
        <CopyButton value={template.id} name="Copy template ID" />
      </span>
    </span>
  );
}

function ContentFields({
  draft,
  onChange,
  problem,
}: {
  draft: TemplateDraft;
  onChange: (draft: TemplateDraft) => void;
  problem: (field: string) => string | undefined;
}): ReactNode {
  return (
    <div className="space-y-5">
      <Field label="Name" hint="Not shown to recipients." error={problem('name')}>
        <TextInput
          value={draft.name}
          maxLength={100}
          onChange={(event) => onChange({ ...draft, name: event.target.value })}
        />
      </Field>
      <Field label="Subject" error={problem('subject')}>
        <TextInput
          value={draft.subject}
          onChange={(event) => onChange({ ...draft, subject: event.target.value })}
        />
      </Field>
      <Field label="HTML" optional error={problem('html')}>
        <TextArea
          code
          rows={14}
          value={draft.html}
          onChange={(event) => onChange({ ...draft, html: event.target.value })}
        />
      </Field>
      <Field label="Text" optional hint="If empty, it is generated from the HTML." error={problem('text')}>
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
