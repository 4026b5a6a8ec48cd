// One contact: what became of all mail to it, why it gets none, and its fields.

import { Trash } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';
import { useLocation, useParams } from 'wouter';

import {
  ContactDocument,
  DeleteContactDocument,
  UpdateContactDocument,
  type ContactDetailFragment,
} from '../../gen/pages/contacts/contact.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog, DialogFooter } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormError } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { contactInput, draftOf } from './contact-draft.ts';
import { CONTACT_FIELDS, ContactFields } from './contact-fields.tsx';
import { ContactStory } from './contact-story.tsx';
import { ContactSuppression } from './contact-suppression.tsx';

const BACK = { href: '/contacts', label: 'Contacts' };

export function ContactPage(): ReactNode {
  const id = useParams()['id'] ?? '';
  const [{ data, error }, execute] = useQuery({ query: ContactDocument, variables: { id } });
  if (data?.contact) {
    const lists = data.contactLists.edges.map(({ node }) => node);
    return <Editor key={data.contact.id} contact={data.contact} lists={lists} />;
  }
  return (
    <>
      <PageHeader title="Contact" back={BACK} />
      {error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : data ? (
        <EmptyState title="Contact not found">It may have been deleted.</EmptyState>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Editor({
  contact,
  lists,
}: {
  contact: ContactDetailFragment;
  lists: readonly { id: string; name: string }[];
}): ReactNode {
  const { canWrite } = useViewer();
  const [draft, setDraft] = useState(() => draftOf(contact));
  const [deleting, setDeleting] = useState(false);
  const form = useMutationForm(UpdateContactDocument, CONTACT_FIELDS);
  const toast = useToast();
  return (
    <>
      <PageHeader
        title={contact.email}
        back={BACK}
        badge={<StatusBadge status={contact.status} />}
        description={
          <>
            Created <Time value={contact.createdAt} />, updated <Time value={contact.updatedAt} />.
          </>
        }
        actions={
          canWrite ? (
            <Button icon={Trash} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          ) : null
        }
      />
      <ContactSuppression id={contact.id} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ContactStory id={contact.id} email={contact.email} />
        <Card title="Details">
          <form
            noValidate
            className="space-y-5"
            onSubmit={form.onSubmit(
              () => ({ input: { id: contact.id, ...contactInput(draft) } }),
              ({ updateContact }) => {
                setDraft(draftOf(updateContact.contact));
                toast('Contact saved');
              },
            )}
          >
            <fieldset disabled={!canWrite} className="min-w-0">
              <ContactFields draft={draft} onChange={setDraft} fieldError={form.fieldError} lists={lists} />
            </fieldset>
            <FormError message={form.error} />
            {canWrite ? (
              <DialogFooter>
                <Button type="submit" variant="primary" busy={form.running}>
                  Save
                </Button>
              </DialogFooter>
            ) : null}
          </form>
        </Card>
      </div>
      <DeleteDialog contact={contact} open={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}

function DeleteDialog({
  contact,
  open,
  onClose,
}: {
  contact: ContactDetailFragment;
  open: boolean;
  onClose: () => void;
}): ReactNode {
  const [, remove] = useMutation(DeleteContactDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  const confirm = async () => {
    const types = { additionalTypenames: ['Contact', 'ContactList'] };
    const { error } = await remove({ input: { id: contact.id } }, types);
    if (error) return errorText(error);
    toast(`${contact.email} was deleted`);
    navigate('/contacts', { replace: true });
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Delete this contact?"
      confirmLabel="Delete contact"
      onConfirm={confirm}
    >
      <p className="text-ink font-medium [overflow-wrap:anywhere]">{contact.email}</p>
      <p>The contact is removed from all lists. A suppression of its address stays. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client, { id = '' }) =>
  client.query(ContactDocument, { id }, KNOWN_FIRST);
