// Creating a key: first its name and scopes, then its value, which is shown once.

import { useState, type ReactNode } from 'react';

import { CreateApiKeyDocument } from '../../gen/pages/keys/api-keys.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FieldSet, FormError } from '../../ui/field.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { SCOPE_GROUPS } from './scopes.ts';

/** Asks for name and scopes, then shows the key. Each opening starts with an empty form. */
export function CreateKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const [value, setValue] = useState<string | null>(null);
  const close = () => {
    setValue(null);
    onClose();
  };
  if (value !== null)
    return (
      <SecretDialog
        secret={value}
        name="API key"
        title="Copy your key now"
        description="Only its hash is stored, so it cannot be shown again."
        copyLabel="Copy key"
        onClose={close}
      />
    );
  return (
    <Dialog open={open} onClose={close} title="Create an API key" width="medium">
      <CreateKeyForm onCreated={setValue} onCancel={close} />
    </Dialog>
  );
}

function CreateKeyForm({
  onCreated,
  onCancel,
}: {
  onCreated: (value: string) => void;
  onCancel: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(['transactional:send']);
  const form = useMutationForm(CreateApiKeyDocument, ['name', 'scopes']);
  const toggle = (scope: string, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({ input: { name: name.trim(), scopes: [...scopes] } }),
        (data) => onCreated(data.createApiKey.value),
      )}
    >
      <Field
        label="Name"
        hint="The program that uses it, for example: web shop, production"
        error={form.fieldError('name')}
      >
        <TextInput value={name} onChange={(event) => setName(event.target.value)} maxLength={100} autoFocus />
      </Field>
      <FieldSet
        label="Scopes"
        hint="Grant only what the program needs. A write scope does not include reading."
        error={form.fieldError('scopes')}
      >
        <ul className="divide-y rounded-md border">
          {SCOPE_GROUPS.map((group) => (
            <li key={group.label} className="grid gap-2 px-3 py-2.5 sm:grid-cols-[9rem_1fr]">
              <span className="text-muted">{group.label}</span>
              <span className="flex flex-wrap gap-x-5 gap-y-2">
                {group.scopes.map((scope) => (
                  <CheckBox
                    key={scope}
                    label={<span className="font-mono text-[13px]">{scope}</span>}
                    checked={scopes.includes(scope)}
                    onChange={(event) => toggle(scope, event.target.checked)}
                  />
                ))}
              </span>
            </li>
          ))}
        </ul>
      </FieldSet>
      <FormError message={form.error} />
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Create key
        </Button>
      </DialogFooter>
    </form>
  );
}
