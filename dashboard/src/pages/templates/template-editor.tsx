// The template editor, with a live preview of the message, its history, and what to do when two people edit it.

import { RotateCcwClock, Trash } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';

import type { StoredDraftFragment, TemplateDetailFragment } from '../../gen/pages/templates/template.ts';
import { fieldSentence } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmDialog, DialogFooter } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ConflictNotice, SaveStatus } from '../drafts/save-status.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { ContentFields } from './content-fields.tsx';
import { DeleteTemplateDialog } from './delete-template-dialog.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { TemplateVariables } from './template-variables.tsx';
import { usePreview } from './use-preview.ts';
import { useTemplateForm, type TemplateForm } from './use-template-form.ts';
import { VersionsDialog } from './versions-dialog.tsx';

/** Edits a template; null creates a new one. `written` is the draft that the person left, if any. */
export function TemplateEditor({
  template,
  written,
}: {
  template: TemplateDetailFragment | null;
  written: StoredDraftFragment | null;
}): ReactNode {
  const { canWrite } = useViewer();
  const form = useTemplateForm(template, written);
  const { draft, change } = form;
  const preview = usePreview(draft);
  const [open, setOpen] = useState<OpenDialog>(null);
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
      {form.saver.state.is === 'conflict' ? (
        <ConflictNotice what="template" onResolve={form.resolveDraft} />
      ) : null}
      <DraftNotice form={form} onDiscard={() => setOpen('discard')} />
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
              <FormError message={form.error ?? draftError(form)} />
            </div>
            {canWrite ? (
              <SaveRow form={form} onDiscard={() => setOpen('discard')} />
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

type OpenDialog = 'versions' | 'delete' | 'discard' | null;

function DraftNotice({ form, onDiscard }: { form: TemplateForm; onDiscard: () => void }): ReactNode {
  const { base, baseVersion, draftFrom } = form;
  if (draftFrom === null || !form.isUnsaved()) return null;
  const newer = base !== null && baseVersion !== null && base.version > baseVersion;
  return (
    <div className="bg-note-soft text-note mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md px-4 py-3">
      <p className="min-w-0 flex-1 basis-60">
        Draft from <Time value={draftFrom} exact />, not saved yet.
        {newer ? ` It began with version ${baseVersion}; version ${base.version} was saved since.` : ''}
      </p>
      <Button size="small" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  );
}

function SaveRow({ form, onDiscard }: { form: TemplateForm; onDiscard: () => void }): ReactNode {
  const { base, isUnsaved, saver } = form;
  return (
    <DialogFooter>
      <div className="mr-auto">
        <SaveStatus state={saver.state} isNew={saver.id === null} />
      </div>
      {isUnsaved() ? <Button onClick={onDiscard}>Discard changes</Button> : null}
      <Button type="submit" variant="primary" busy={form.running}>
        {base === null ? 'Create template' : 'Save new version'}
      </Button>
    </DialogFooter>
  );
}

function draftError({ saver: { state } }: TemplateForm): string | null {
  return state.is === 'refused' ? fieldSentence('The draft', state.error) : null;
}

// States in which the draft is not saved when another page is shown.
const NOT_KEPT: readonly string[] = ['offline', 'conflict', 'refused'];

function Dialogs({
  form,
  open,
  onClose,
}: {
  form: TemplateForm;
  open: OpenDialog;
  onClose: () => void;
}): ReactNode {
  const { canWrite } = useViewer();
  const toast = useToast();
  const { base, conflict } = form;
  return (
    <>
      <LeaveQuestion
        when={(to) =>
          canWrite &&
          form.isUnsaved() &&
          !form.isKept() &&
          (to === 'away' || NOT_KEPT.includes(form.saver.state.is))
        }
        what="the template"
      />
      <ConfirmDialog
        open={open === 'discard'}
        onClose={onClose}
        title="Discard the draft?"
        confirmLabel="Discard draft"
        onConfirm={() => form.discard(base)}
      >
        <p>
          {base
            ? `Your changes since version ${base.version} will be lost.`
            : 'What you wrote for the new template will be lost.'}
        </p>
      </ConfirmDialog>
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
