// The form: from, to, and content that is either written here or a template with values for its variables.

import { SendHorizontal } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';

import { SendTestMessageDocument, type SendTestMessageMutation } from '../../gen/pages/send/send.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Field, FormError } from '../../ui/field.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Select, TextArea, TextInput } from '../../ui/text-input.tsx';
import { variableValue, TemplateFields, type SendTemplate } from './template-fields.tsx';
import { DEFAULT_RECIPIENT, SimulatorChoices } from './simulator-choices.tsx';

type Sent = SendTestMessageMutation['sendMessage'] & { to: string };

const FIELDS = ['from', 'to', 'subject', 'html', 'text', 'templateId', 'variables'];

export function SendForm({
  domains,
  templates,
  onSent,
}: {
  domains: readonly string[];
  templates: readonly SendTemplate[];
  onSent: (sent: Sent) => void;
}): ReactNode {
  const [local, setLocal] = useState('hello');
  const [domain, setDomain] = useState(domains[0] ?? '');
  const [to, setTo] = useState(DEFAULT_RECIPIENT);
  const [content, setContent] = useState('own');
  const [subject, setSubject] = useState('A test message');
  const [html, setHtml] = useState('<h1>It works</h1>\n<p>This is a test message.</p>');
  const [text, setText] = useState('');
  const [templateId, setTemplateId] = useState(templates[0]?.id ?? '');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const form = useMutationForm(SendTestMessageDocument, FIELDS);
  const template = templates.find(({ id }) => id === templateId);
  const own = content === 'own' || template === undefined;
  const input = () => ({
    from: `${local.trim()}@${domain}`,
    to: [to.trim()],
    ...(own
      ? { subject, ...(html.trim() && { html }), ...(text.trim() && { text }) }
      : { templateId: template.id, variables: givenValues(template, values) }),
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        () => ({ input: input() }),
        ({ sendMessage }) => {
          onSent({ ...sendMessage, to: to.trim() });
          scrollTo({ top: 0, behavior: 'smooth' });
        },
      )}
    >
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="From and to">
          <div className="space-y-5">
            <From {...{ local, domain, domains, setLocal, setDomain }} error={form.fieldError('from')} />
            <Field label="To" error={form.fieldError('to')}>
              <TextInput
                type="email"
                value={to}
                onChange={(event) => setTo(event.target.value)}
                autoComplete="off"
              />
            </Field>
            <SimulatorChoices value={to} onChange={setTo} />
          </div>
        </Card>
        <Card title="Content">
          <Tabs
            label="Content source"
            value={content}
            onChange={setContent}
            tabs={[
              {
                id: 'own',
                label: 'Write content',
                content: (
                  <div className="space-y-5">
                    <Field label="Subject" error={form.fieldError('subject')}>
                      <TextInput value={subject} onChange={(event) => setSubject(event.target.value)} />
                    </Field>
                    <Field label="HTML" optional error={form.fieldError('html')}>
                      <TextArea
                        code
                        rows={7}
                        value={html}
                        onChange={(event) => setHtml(event.target.value)}
                      />
                    </Field>
                    <Field
                      label="Text"
                      optional
                      hint="If empty, it is generated from the HTML."
                      error={form.fieldError('text')}
                    >
                      <TextArea rows={4} value={text} onChange={(event) => setText(event.target.value)} />
                    </Field>
                  </div>
                ),
              },
              {
                id: 'template',
                label: 'Template',
                content: (
                  <TemplateFields
                    templates={templates}
                    template={template}
                    values={values}
                    onChoose={setTemplateId}
                    onValues={setValues}
                    fieldError={form.fieldError}
                  />
                ),
              },
            ]}
          />
          <div className="mt-5">
            <FormError message={form.error} />
          </div>
          <DialogFooter>
            <Button
              type="submit"
              variant="primary"
              icon={SendHorizontal}
              busy={form.running}
              disabled={content === 'template' && template === undefined}
            >
              Send
            </Button>
          </DialogFooter>
        </Card>
      </div>
    </form>
  );
}

function From({
  local,
  domain,
  domains,
  setLocal,
  setDomain,
  error,
}: {
  local: string;
  domain: string;
  domains: readonly string[];
  setLocal: (local: string) => void;
  setDomain: (domain: string) => void;
  error: string | undefined;
}): ReactNode {
  return (
    <Field label="From" error={error}>
      <div className="flex items-center gap-2">
        <TextInput
          value={local}
          onChange={(event) => setLocal(event.target.value)}
          className="min-w-0 flex-1"
          autoComplete="off"
          spellCheck={false}
        />
        <span aria-hidden="true">@</span>
        <div className="min-w-0 flex-[1.4]">
          <Select
            id="send-from-domain"
            aria-label="Sending domain"
            value={domain}
            onChange={(event) => setDomain(event.target.value)}
            options={domains.map((name) => ({ value: name, label: name }))}
          />
        </div>
      </div>
    </Field>
  );
}

function givenValues(template: SendTemplate, values: Readonly<Record<string, string>>) {
  const given = template.variables.flatMap(({ name }) => {
    const value = values[name];
    return value === undefined || value === '' ? [] : [[name, variableValue(value)] as const];
  });
  return Object.fromEntries(given);
}
