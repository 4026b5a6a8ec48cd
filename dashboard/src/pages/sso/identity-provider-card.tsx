// What the identity provider told us: its metadata as a file, or the three values by hand.

import { Upload } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';

import { SaveSsoConnectionDocument, type SsoConnectionFragment } from '../../gen/pages/sso/sso.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { Code } from '../../ui/code-block.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TextArea, TextInput } from '../../ui/text-input.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SSO_CHANGED } from './sso-changed.ts';

/** What is known, and a form for it. A first save leaves the connection off. */
export function IdentityProviderCard({
  connection,
}: {
  connection: SsoConnectionFragment | null;
}): ReactNode {
  return (
    <Card
      title="2. From your identity provider"
      description={
        connection ? 'Save again to renew it, for example before its certificate ends.' : undefined
      }
    >
      {connection ? <Known connection={connection} /> : null}
      <Tabs
        label="How to tell us"
        tabs={[
          { id: 'metadata', label: 'Metadata file', content: <MetadataForm /> },
          { id: 'fields', label: 'By hand', content: <FieldsForm connection={connection} /> },
        ]}
      />
    </Card>
  );
}

function Known({ connection }: { connection: SsoConnectionFragment }): ReactNode {
  return (
    <div className="mb-5">
      <DescriptionList
        items={[
          { term: 'Entity ID', value: <Code>{connection.idpEntityId}</Code> },
          { term: 'Sign-on address', value: <Code>{connection.idpSsoUrl}</Code> },
          ...connection.certificates.map(({ fingerprint, notAfter }) => ({
            term: 'Certificate',
            value: (
              <>
                <Code>{fingerprint}</Code>, until <Time value={notAfter} exact />
              </>
            ),
          })),
          { term: 'Changed', value: <Time value={connection.updatedAt} exact /> },
        ]}
      />
    </div>
  );
}

function MetadataForm(): ReactNode {
  const [xml, setXml] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const form = useSaveForm(['idpMetadataXml']);
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.onSubmit(() => ({ input: { idpMetadataXml: xml } }), form.saved)}
    >
      <Field
        label="Metadata XML"
        hint="Of the identity provider: choose the file, or paste what is in it."
        error={form.fieldError('idpMetadataXml')}
      >
        <TextArea code rows={6} value={xml} onChange={(event) => setXml(event.target.value)} />
      </Field>
      <input
        ref={file}
        type="file"
        accept=".xml,text/xml,application/xml,application/samlmetadata+xml"
        hidden
        onChange={(event) => void event.target.files?.[0]?.text().then(setXml)}
      />
      <FormError message={form.error} />
      <div className="flex flex-wrap gap-2">
        <Button icon={Upload} onClick={() => file.current?.click()}>
          Choose file
        </Button>
        <Button type="submit" variant="primary" busy={form.running} disabled={xml.trim() === ''}>
          Save
        </Button>
      </div>
    </form>
  );
}

function FieldsForm({ connection }: { connection: SsoConnectionFragment | null }): ReactNode {
  const [idpEntityId, setEntityId] = useState(connection?.idpEntityId ?? '');
  const [idpSsoUrl, setSsoUrl] = useState(connection?.idpSsoUrl ?? '');
  const [certificatePem, setPem] = useState('');
  const form = useSaveForm(['idpEntityId', 'idpSsoUrl', 'certificatePem']);
  const input = () => ({
    input: {
      idpEntityId: idpEntityId.trim(),
      idpSsoUrl: idpSsoUrl.trim(),
      ...(certificatePem.trim() !== '' && { certificatePem }),
    },
  });
  return (
    <form noValidate className="space-y-4" onSubmit={form.onSubmit(input, form.saved)}>
      <Field label="Its entity ID" error={form.fieldError('idpEntityId')}>
        <TextInput value={idpEntityId} onChange={(event) => setEntityId(event.target.value)} />
      </Field>
      <Field label="Its sign-on address (HTTP-Redirect)" error={form.fieldError('idpSsoUrl')}>
        <TextInput type="url" value={idpSsoUrl} onChange={(event) => setSsoUrl(event.target.value)} />
      </Field>
      <Field
        label="Its signing certificates"
        hint={
          connection
            ? 'PEM. Leave it empty to keep those above; what you enter takes their place.'
            : 'PEM, one or more.'
        }
        error={form.fieldError('certificatePem')}
      >
        <TextArea code rows={5} value={certificatePem} onChange={(event) => setPem(event.target.value)} />
      </Field>
      <FormError message={form.error} />
      <Button type="submit" variant="primary" busy={form.running}>
        Save
      </Button>
    </form>
  );
}

function useSaveForm(fields: readonly string[]) {
  const form = useMutationForm(SaveSsoConnectionDocument, fields, SSO_CHANGED);
  const toast = useToast();
  return { ...form, saved: () => toast('Saved') };
}
