// The template editor, with a live preview of the message, its history, and what to do when two people edit it.

import { RotateCcwClock, Trash } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';

import type { TemplateDetailFragment } from '../../gen/pages/templates/template.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { ContentFields } from './content-fields.tsx';
import { DeleteTemplateDialog } from './delete-template-dialog.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { TemplateVariables } from './template-variables.tsx';
import { usePreview } from './use-preview.ts';
import { useTemplateForm, type TemplateForm } from './use-template-form.ts';
import { VersionsDialog } from './versions-dialog.tsx';

/** Edits a template; null creates a new one. */
export function TemplateEditor({ template }: { template: TemplateDetailFragment | null }): ReactNode {
  const { canWrite } = useViewer();
  const form = useTemplateForm(template);
  const { draft, change } = form;
  const preview = usePreview(draft);
  const [open, setOpen] = useState<'versions' | 'delete' | null>(null);
  const stored = form.base;
  // Errors of saving are shown until the preview has newer ones.
  const problem = (field: string) => preview.fieldError(field) ?? form.fieldError(field);
  return (
    <>
      <PageHeader
        title={stored?.name ?? 'New template'}
        back={{ href: '/templates', label: 'Templates' }}
        badge={stored ? <Badge>version {stored.version}</Badge> : undefined}
        description={stored ? <Identity template={stored} /> : 'Write variables as {{ name }}.'}
        actions={
          stored ? (
            <>
              <Button icon={RotateCcwClock} onClick={() => setOpen('versions')}>
                Versions
              </Button>
              {canWrite ? (
                <Button icon={Trash} onClick={() => setOpen('delete')}>
                  Delete
                </Button>
              ) : null}
            </>
          ) : undefined
        }
      />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <form
          noValidate
          className="min-w-0"
          onSubmit={(event) => {
            event.preventDefault();
            if (canWrite && !form.running) void form.save();
          }}
        >
          <Card title="Content">
            <ContentFields draft={draft} onChange={change} preview={preview} problem={problem} />
            <TemplateVariables draft={draft} onChange={(next) => change(() => next)} problem={problem} />
            <div className="mt-5">
              <FormError message={form.error} />
            </div>
            {canWrite ? (
              <SaveRow form={form} />
            ) : (
              <p className="text-muted">
                You can try changes in the preview. An owner or a member can save them.
              </p>
            )}
          </Card>
        </form>
        <TemplatePreview
          preview={preview}
          draft={draft}
          onTestData={(testData) => change((last) => ({ ...last, testData }))}
          problem={problem}
        />
      </div>
      <Dialogs form={form} open={open} onClose={() => setOpen(null)} />
    </>
  );
}

function SaveRow({ form }: { form: TemplateForm }): ReactNode {
  const { base, isUnsaved, begin } = form;
  return (
    <DialogFooter>
      {base !== null && isUnsaved() ? <Button onClick={() => begin(base)}>Discard changes</Button> : null}
      <Button type="submit" variant="primary" busy={form.running}>
        {base === null ? 'Create template' : 'Save new version'}
      </Button>
    </DialogFooter>
  );
}

function Dialogs({
  form,
  open,
  onClose,
}: {
  form: TemplateForm;
  open: 'versions' | 'delete' | null;
  onClose: () => void;
}): ReactNode {
  const { canWrite } = useViewer();
  const toast = useToast();
  const { base, conflict } = form;
  return (
    <>
      <LeaveQuestion when={() => canWrite && form.isUnsaved()} what="the template" />
      {base ? (
        <DeleteTemplateDialog
          template={base}
          open={open === 'delete'}
          onClose={onClose}
          onDeleted={form.forget}
        />
      ) : null}
      {base && open === 'versions' ? (
        <VersionsDialog
          template={base}
          unsaved={form.isUnsaved()}
          onClose={onClose}
          onRestored={(restored, from) => {
            form.begin(restored);
            toast(`Version ${from} was restored as version ${restored.version}`);
            onClose();
          }}
        />
      ) : null}
      {conflict ? <ConflictDialog form={form} stored={conflict} /> : null}
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
