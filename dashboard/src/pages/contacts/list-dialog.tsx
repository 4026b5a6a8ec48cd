// Creating or renaming a list.

import { useState, type ReactNode } from 'react';

import { CreateContactListDocument, RenameContactListDocument } from '../../gen/pages/contacts/lists.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Without an id: a new list. */
export interface ListToEdit {
  id: string | null;
  name: string;
}

export function ListDialog({ list, onClose }: { list: ListToEdit | null; onClose: () => void }): ReactNode {
  return (
    <Dialog
      open={list !== null}
      onClose={onClose}
      title={list === null || list.id === null ? 'Create a list' : `Rename ${list.name}`}
    >
      {list === null ? null : <ListForm key={list.id} list={list} onClose={onClose} />}
    </Dialog>
  );
}

function ListForm({ list, onClose }: { list: ListToEdit; onClose: () => void }): ReactNode {
  const [name, setName] = useState(list.name);
  const creating = useMutationForm(CreateContactListDocument, ['name']);
  const renaming = useMutationForm(RenameContactListDocument, ['name']);
  const form = list.id === null ? creating : renaming;
  const toast = useToast();
  const save = async () => {
    const input = { name: name.trim() };
    const done =
      list.id === null
        ? await creating.run({ input })
        : await renaming.run({ input: { id: list.id, ...input } });
    if (done === null) return;
    toast(`${input.name} was saved`);
    onClose();
  };
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.running) void save();
      }}
    >
      <Field label="Name" error={form.fieldError('name')}>
        <TextInput value={name} onChange={(event) => setName(event.target.value)} autoFocus />
      </Field>
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Save
        </Button>
      </DialogFooter>
    </form>
  );
}
