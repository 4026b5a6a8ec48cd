// Creating a key: first its name, domain, scopes and limits, then its value, which is shown once.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { CreateApiKeyDocument, KeyDomainsDocument } from '../../gen/pages/keys/api-keys.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FieldSet, FormError } from '../../ui/field.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { Select, TextArea, TextInput } from '../../ui/text-input.tsx';
import { timeOfField, timeZone } from '../../ui/zone.ts';
import { SCOPE_GROUPS } from './scopes.ts';

const SEND_ONLY = ['transactional:send'];

/** Asks for name, scopes and limits, then shows the key. Each opening starts with an empty form. */
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
  const [scopes, setScopes] = useState<readonly string[]>(SEND_ONLY);
  const [expires, setExpires] = useState('');
  const [addresses, setAddresses] = useState('');
  const [domain, setDomain] = useState('');
  const [{ data }] = useQuery({ query: KeyDomainsDocument });
  const names = data?.domains.edges.map(({ node }) => ({ value: node.name, label: node.name })) ?? [];
  const form = useMutationForm(CreateApiKeyDocument, [
    'name',
    'scopes',
    'expiresAt',
    'allowedAddresses',
    'domain',
  ]);
  const granted = domain === '' ? scopes : SEND_ONLY;
  const toggle = (scope: string, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(
        () => ({
          input: {
            name: name.trim(),
            scopes: [...granted],
            domain: domain === '' ? null : domain,
            expiresAt: expires === '' ? null : timeOfField(expires),
            allowedAddresses: addresses.split(/[\s,]+/).filter((address) => address !== ''),
          },
        }),
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
      <Field
        label="Domain"
        hint="A key for one domain only sends: it reads nothing and changes nothing."
        error={form.fieldError('domain')}
      >
        <Select
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          options={[{ value: '', label: 'All domains' }, ...names]}
        />
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
                    checked={granted.includes(scope)}
                    disabled={domain !== ''}
                    onChange={(event) => toggle(scope, event.target.checked)}
                  />
                ))}
              </span>
            </li>
          ))}
        </ul>
      </FieldSet>
      <Field
        label="Expires"
        optional
        hint={`In your time zone, ${timeZone()}. Without it the key works until you revoke it.`}
        error={form.fieldError('expiresAt')}
      >
        <TextInput
          type="datetime-local"
          value={expires}
          onChange={(event) => setExpires(event.target.value)}
        />
      </Field>
      <Field
        label="Allowed addresses"
        optional
        hint="IP addresses and CIDR blocks that may use the key, one per line. Without any it works from everywhere."
        error={form.fieldError('allowedAddresses')}
      >
        <TextArea
          code
          rows={2}
          placeholder={'203.0.113.7\n2001:db8::/32'}
          value={addresses}
          onChange={(event) => setAddresses(event.target.value)}
        />
      </Field>
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
