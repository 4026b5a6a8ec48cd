// Creating a mailbox: for one address of a domain, or a catch-all.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import { CreateMailboxDocument, MailboxDomainsDocument } from '../../gen/pages/inbound/mailboxes.ts';
import { fieldSentence } from '../../graphql/error-text.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Each opening starts with an empty form. */
export function CreateMailboxDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title="Create a mailbox">
      <WithDomains onClose={onClose} />
    </Dialog>
  );
}

function WithDomains({ onClose }: { onClose: () => void }): ReactNode {
  const [{ data, error }, execute] = useQuery({ query: MailboxDomainsDocument, variables: {} });
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />;
    return (
      <div role="status" aria-label="Loading domains">
        <Skeleton className="w-2/3" />
      </div>
    );
  }
  const verified = data.domains.edges.map(({ node }) => node).filter(({ status }) => status === 'verified');
  const domains = verified.filter(({ inboundEnabled }) => inboundEnabled).map(({ name }) => name);
  if (domains.length === 0) return <NoDomain verified={verified.length > 0} />;
  return <CreateForm domains={domains} hidden={verified.length - domains.length} onClose={onClose} />;
}

function NoDomain({ verified }: { verified: boolean }): ReactNode {
  return (
    <>
      <p className="text-muted">
        {verified
          ? 'None of your domains receives mail. Turn on “Receive mail at this domain” in the settings of a domain.'
          : 'A mailbox needs a verified domain that receives mail. Verify a domain first.'}
      </p>
      <DialogFooter>
        <ButtonLink href="/domains" variant="primary">
          Go to domains
        </ButtonLink>
      </DialogFooter>
    </>
  );
}

function CreateForm({
  domains,
  hidden,
  onClose,
}: {
  domains: readonly string[];
  /** How many verified domains do not receive mail. */
  hidden: number;
  onClose: () => void;
}): ReactNode {
  const [catchAll, setCatchAll] = useState(false);
  const [local, setLocal] = useState('');
  const [domain, setDomain] = useState(domains[0] ?? '');
  const [name, setName] = useState('');
  const form = useMutationForm(CreateMailboxDocument, ['address', 'name']);
  const addressError = form.fieldError('address');
  const toast = useToast();
  const input = () => ({
    input: { address: `${catchAll ? '*' : local.trim()}@${domain}`, name: name.trim() || null },
  });
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={form.onSubmit(input, ({ createMailbox: { mailbox } }) => {
        toast(`${mailbox.address} was created`);
        onClose();
      })}
    >
      <Field
        label="Domain"
        hint={hidden > 0 ? 'Only verified domains that receive mail are listed.' : undefined}
      >
        <Select
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          options={domains.map((one) => ({ value: one, label: one }))}
        />
      </Field>
      <Field label="Receives mail for">
        <Select
          value={catchAll ? 'all' : 'one'}
          onChange={(event) => setCatchAll(event.target.value === 'all')}
          options={[
            { value: 'one', label: 'One address' },
            { value: 'all', label: 'All addresses without their own mailbox (catch-all)' },
          ]}
        />
      </Field>
      {catchAll ? null : (
        <Field label="Address" hint={`The part before @${domain}, for example: support`} error={addressError}>
          <TextInput
            value={local}
            onChange={(event) => setLocal(event.target.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
      )}
      <Field label="Name" optional hint="A display name for your team" error={form.fieldError('name')}>
        <TextInput value={name} onChange={(event) => setName(event.target.value)} maxLength={200} />
      </Field>
      <FormError
        message={
          form.error ??
          (catchAll && addressError !== undefined ? fieldSentence('Address', addressError) : null)
        }
      />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.running}>
          Create mailbox
        </Button>
      </DialogFooter>
    </form>
  );
}
