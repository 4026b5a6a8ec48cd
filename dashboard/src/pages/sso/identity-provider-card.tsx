// The identity provider's settings: its metadata file, or the three values entered manually.

import { Upload } from '../../gen/icons.ts';
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

/** The saved settings, and a form for new ones. The first save leaves the connection disabled. */
export function IdentityProviderCard({
  connection,
}: {
  connection: SsoConnectionFragment | null;
}): ReactNode {
  return (
    <Card
      title="2. From your identity provider"
      description={
        connection ? 'Save again to update it, for example before its certificate expires.' : undefined
      }
    >
      {connection ? <Known connection={connection} /> : null}
      <Tabs
        label="How to enter the settings"
        tabs={[
          { id: 'metadata', label: 'Metadata file', content: <MetadataForm /> },
          { id: 'fields', label: 'Manual entry', content: <FieldsForm connection={connection} /> },
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
          { term: 'Sign-on URL', value: <Code>{connection.idpSsoUrl}</Code> },
          ...connection.certificates.map(({ fingerprint, notAfter }) => ({
            term: 'Certificate',
            value: (
              <>
                <Code>{fingerprint}</Code>, expires <Time value={notAfter} exact />
              </>
            ),
          })),
          { term: 'Updated', value: <Time value={connection.updatedAt} exact /> },
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
        hint="Choose the metadata file of your identity provider, or paste its content."
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
      <Field label="Entity ID" error={form.fieldError('idpEntityId')}>
        <TextInput value={idpEntityId} onChange={(event) => setEntityId(event.target.value)} />
      </Field>
      <Field label="Sign-on URL (HTTP-Redirect)" error={form.fieldError('idpSsoUrl')}>
        <TextInput type="url" value={idpSsoUrl} onChange={(event) => setSsoUrl(event.target.value)} />
      </Field>
      <Field
        label="Signing certificates"
        hint={
          connection
            ? 'PEM. Leave empty to keep the certificates above; what you enter replaces them.'
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
