// Somebody else, or the same person in another tab, saved the template while it was edited here.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { TemplateVersionsDocument, type TemplateDetailFragment } from '../../gen/pages/templates/template.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ContentDiff } from './content-diff.tsx';
import { contentOf } from './template-draft.ts';
import type { TemplateForm } from './use-template-form.ts';

/** Shows what was saved meanwhile against the draft, and asks which of them stays. */
export function ConflictDialog({
  form,
  stored,
}: {
  form: TemplateForm;
  stored: TemplateDetailFragment;
}): ReactNode {
  const variables = { id: stored.id, first: 1 };
  const [{ data }] = useQuery({
    query: TemplateVersionsDocument,
    variables,
    requestPolicy: 'network-only',
  });
  const toast = useToast();
  const discard = async () => {
    const problem = await form.discard(stored);
    if (problem !== null) toast(problem);
  };
  const newest = data?.template?.versions.edges[0]?.node;
  return (
    <Dialog
      open
      onClose={form.closeConflict}
      width="large"
      title="This template was saved while you edited it"
      description={
        <>
          You began with version {form.baseVersion}. Version {stored.version} was saved{' '}
          <Time value={stored.updatedAt} />
          {newest?.createdBy ? (
            <>
              {' by '}
              <Address>{newest.createdBy}</Address>
            </>
          ) : null}
          . Your changes are not saved yet.
        </>
      }
    >
      <h2 className="mb-2 font-medium">From version {stored.version} to your draft</h2>
      <ContentDiff before={stored} after={contentOf(form.draft)} />
      <div className="mt-4">
        <FormError message={form.error} />
      </div>
      <DialogFooter>
        <Button variant="danger" onClick={() => void discard()}>
          Discard my changes
        </Button>
        <Button onClick={form.closeConflict}>Keep editing</Button>
        <Button variant="primary" busy={form.running} onClick={() => void form.save(stored)}>
          Save mine as version {stored.version + 1}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
