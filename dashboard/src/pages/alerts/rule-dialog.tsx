// A new rule, or a change of one: what is watched, from which value on, and who is told.

import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  CreateAlertRuleDocument,
  DeleteAlertRuleDocument,
  UpdateAlertRuleDocument,
  type AlertKindRowFragment,
  type AlertRuleRowFragment,
} from '../../gen/pages/alerts/alerts.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field, FieldSet, FormError } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { KIND_LABELS } from './alert-words.ts';

interface Props {
  /** Null makes a new one. */
  rule: AlertRuleRowFragment | null;
  kinds: readonly AlertKindRowFragment[];
  domains: readonly { id: string; name: string }[];
  onClose: () => void;
}

export function RuleDialog({ rule, kinds, domains, onClose }: Props): ReactNode {
  const [kind, setKind] = useState(rule?.kind ?? kinds[0]!.kind);
  const info = kinds.find((one) => one.kind === kind)!;
  const [domainId, setDomainId] = useState('');
  const [threshold, setThreshold] = useState(String(rule?.threshold ?? info.suggested));
  const [told, setTold] = useState({
    enabled: rule?.enabled ?? true,
    mail: rule?.mail ?? true,
    chat: rule?.chat ?? true,
  });
  const create = useMutationForm(CreateAlertRuleDocument, ['threshold', 'domainId']);
  const update = useMutationForm(UpdateAlertRuleDocument, ['threshold']);
  const form = rule === null ? create : update;
  const toast = useToast();
  const done = () => {
    toast('Rule saved');
    onClose();
  };
  const choose = (next: string) => {
    const chosen = kinds.find((one) => one.kind === next)!;
    setKind(chosen.kind);
    setThreshold(String(chosen.suggested));
    setDomainId('');
  };
  const value = threshold.trim() === '' ? Number.NaN : Number(threshold);
  const valid = value >= info.minimum && value <= info.maximum;
  const [tried, setTried] = useState(false);
  const set = { threshold: value, ...told };
  const submit =
    rule === null
      ? create.onSubmit(() => ({ input: { kind, domainId: domainId || null, ...set } }), done)
      : update.onSubmit(() => ({ input: { id: rule.id, ...set } }), done);
  const check = (name: keyof typeof told, label: string, hint?: string) => (
    <CheckBox
      label={label}
      hint={hint}
      checked={told[name]}
      onChange={(event) => setTold({ ...told, [name]: event.target.checked })}
    />
  );
  return (
    <Dialog open onClose={onClose} title={rule === null ? 'Add a rule' : KIND_LABELS[rule.kind]}>
      <form
        noValidate
        className="space-y-5"
        onSubmit={(event) => {
          setTried(true);
          if (valid) submit(event);
          else event.preventDefault();
        }}
      >
        {rule === null ? (
          <Field label="What to watch" hint={`${info.description}.`}>
            <Select
              value={kind}
              onChange={(event) => choose(event.target.value)}
              options={kinds.map((one) => ({ value: one.kind, label: KIND_LABELS[one.kind] }))}
            />
          </Field>
        ) : (
          <p className="text-muted">{info.description}.</p>
        )}
        {rule === null && info.perDomain ? (
          <Field label="Domain" error={form.fieldError('domainId')}>
            <Select
              value={domainId}
              onChange={(event) => setDomainId(event.target.value)}
              options={[
                { value: '', label: 'All domains without a rule of their own' },
                ...domains.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </Field>
        ) : null}
        <Field
          label={`Alert at (${info.unit === 'percent' ? '%' : info.unit})`}
          error={
            tried && !valid
              ? `must be a number from ${info.minimum} to ${info.maximum}`
              : form.fieldError('threshold')
          }
        >
          <TextInput
            inputMode="decimal"
            value={threshold}
            onChange={(event) => setThreshold(event.target.value)}
          />
        </Field>
        <FieldSet label="Notify">
          {check('mail', 'Owners, by email')}
          {check('chat', 'Chat', 'Set its URL on this page.')}
          {rule === null ? null : check('enabled', 'Rule is on', 'Turning it off closes its open alerts.')}
        </FieldSet>
        <FormError message={form.error} />
        <DialogFooter>
          {rule === null ? (
            <Button onClick={onClose}>Cancel</Button>
          ) : (
            <DeleteButton id={rule.id} onDone={onClose} />
          )}
          <Button type="submit" variant="primary" busy={form.running}>
            {rule === null ? 'Add rule' : 'Save'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function DeleteButton({ id, onDone }: { id: string; onDone: () => void }): ReactNode {
  const [{ fetching }, remove] = useMutation(DeleteAlertRuleDocument);
  const toast = useToast();
  const run = async () => {
    const { error } = await remove({ input: { id } }, { additionalTypenames: ['AlertRule', 'Alert'] });
    if (error) return toast(errorText(error), 'bad');
    toast('Rule deleted');
    onDone();
  };
  return (
    <Button busy={fetching} onClick={() => void run()}>
      Delete rule
    </Button>
  );
}
