// The import form: a file or pasted text, a list, and the progress of the upload.

import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Code } from '../../ui/code-block.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { formatPercent } from '../../ui/format-number.ts';
import { Progress } from '../../ui/progress.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Select, TextArea } from '../../ui/text-input.tsx';
import { FileDrop } from './file-drop.tsx';
import { uploadContacts } from './upload.ts';

const MOST_BYTES = 100 * 1024 * 1024; // the API's limit
const EXAMPLE = 'email,first_name,last_name,tags,city\nann@example.net,Ann,Lee,vip|spring,Bern';

/** Goes to the import's page when the upload is complete. */
export function ImportForm({ lists }: { lists: readonly { id: string; name: string }[] }): ReactNode {
  const [, navigate] = useLocation();
  const [source, setSource] = useState('file');
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const [listId, setListId] = useState('');
  const [updateExisting, setUpdateExisting] = useState(false);
  const [part, setPart] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const stop = useRef<AbortController | null>(null);
  const body = source === 'file' ? file : text.trim() === '' ? null : new Blob([text]);
  const tooBig = body !== null && body.size > MOST_BYTES;
  const format = source === 'file' ? formatOf(file) : /^\s*[[{]/.test(text) ? 'json' : 'csv';
  const upload = async (event: FormEvent) => {
    event.preventDefault();
    if (body === null || part !== null) return;
    stop.current = new AbortController();
    setRefusal(null);
    setPart(0);
    const answer = await uploadContacts(
      { body, format, listId, updateExisting },
      setPart,
      stop.current.signal,
    );
    setPart(null);
    if ('id' in answer) navigate(`/contacts/imports/${answer.id}`);
    else setRefusal(answer.refusal);
  };
  return (
    <Card title="Import contacts" description={<Explanation />}>
      <form noValidate className="space-y-5" onSubmit={(event) => void upload(event)}>
        <Tabs
          label="Source"
          value={source}
          onChange={setSource}
          tabs={[
            {
              id: 'file',
              label: 'File',
              content: (
                <FileDrop
                  label="Choose a file or drop it here"
                  hint="CSV or JSON, up to 100 MB"
                  accept=".csv,.tsv,.txt,.json,text/csv,application/json"
                  file={file}
                  onFile={setFile}
                />
              ),
            },
            {
              id: 'paste',
              label: 'Paste',
              content: (
                <Field label="Rows" hint="CSV with a header row, or JSON.">
                  <TextArea
                    code
                    rows={8}
                    value={text}
                    placeholder={EXAMPLE}
                    onChange={(event) => setText(event.target.value)}
                  />
                </Field>
              ),
            },
          ]}
        />
        <Field label="Add to list" optional>
          <Select
            value={listId}
            onChange={(event) => setListId(event.target.value)}
            options={[
              { value: '', label: 'No list' },
              ...lists.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
        <CheckBox
          label="Update existing contacts"
          hint="If off, existing contacts are only added to the list."
          checked={updateExisting}
          onChange={(event) => setUpdateExisting(event.target.checked)}
        />
        {part === null ? null : (
          <Progress label="Uploading" value={part} max={1} text={formatPercent(part)} />
        )}
        <FormError
          message={tooBig ? 'The file is larger than 100 MB. Split it into several files.' : refusal}
        />
        <DialogFooter>
          {part === null ? null : <Button onClick={() => stop.current?.abort()}>Cancel</Button>}
          <Button type="submit" variant="primary" busy={part !== null} disabled={body === null || tooBig}>
            Import
          </Button>
        </DialogFooter>
      </form>
    </Card>
  );
}

function Explanation(): ReactNode {
  return (
    <>
      The header row needs <Code>email</Code>. Optional columns: <Code>first_name</Code>,{' '}
      <Code>last_name</Code>, <Code>tags</Code> (separated by |) and <Code>status</Code>. All other columns
      become attributes. Exports of Mailchimp, SendGrid, Postmark, listmonk, Brevo and Mailgun work as they
      are. An import never resubscribes contacts who unsubscribed or complained.
    </>
  );
}

function formatOf(file: File | null): 'csv' | 'json' {
  return file !== null && (file.name.toLowerCase().endsWith('.json') || file.type === 'application/json')
    ? 'json'
    : 'csv';
}
