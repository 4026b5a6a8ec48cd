// Adding one contact.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';

import { CreateContactDocument, NewContactChoicesDocument } from '../../gen/pages/contacts/contact.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { contactInput, draftOf } from './contact-draft.ts';
import { CONTACT_FIELDS, ContactFields } from './contact-fields.tsx';

/** Each opening starts with an empty form. */
export function CreateContactDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title="Add a contact" width="medium">
      <CreateForm onClose={onClose} />
    </Dialog>
  );
}

function CreateForm({ onClose }: { onClose: () => void }): ReactNode {
  const [{ data }] = useQuery({ query: NewContactChoicesDocument, variables: {} });
  const [draft, setDraft] = useState(() => draftOf(null));
  const form = useMutationForm(CreateContactDocument, CONTACT_FIELDS);
  const [, navigate] = useLocation();
  const toast = useToast();
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: contactInput(draft) }),
        ({ createContact: { contact } }) => {
          toast(`${contact.email} was added`);
          onClose();
          navigate(`/contacts/${contact.id}`);
        },
      )}
    >
      <ContactFields
        draft={draft}
        onChange={setDraft}
        fieldError={form.fieldError}
        lists={data?.contactLists.edges.map(({ node }) => node) ?? []}
      />
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Add contact
        </Button>
      </DialogFooter>
    </form>
  );
}
