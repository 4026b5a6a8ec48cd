// The slots of a template: name, whether a value must be given, and what stands there when none is.

import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { FieldSet } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { newSlot, type SlotDraft, type TemplateDraft } from './template-draft.ts';

const KINDS = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
];

export function TemplateSlots({
  draft,
  onChange,
  problem,
}: {
  draft: TemplateDraft;
  onChange: (draft: TemplateDraft) => void;
  problem: (field: string) => string | undefined;
}): ReactNode {
  const change = (changed: SlotDraft) =>
    onChange({ ...draft, slots: draft.slots.map((slot) => (slot.key === changed.key ? changed : slot)) });
  const remove = (key: number) =>
    onChange({ ...draft, slots: draft.slots.filter((slot) => slot.key !== key) });
  const nested = draft.slots.some((_slot, at) => problem(`variables.${at}`) !== undefined);
  return (
    <div className="mt-6">
      <FieldSet
        label="Slots"
        hint="A required slot without a value is refused when sending. A default stands in for what is left out."
        error={nested ? undefined : problem('variables')}
      >
        <ul className="space-y-3">
          {draft.slots.map((slot, at) => (
            <SlotRow
              key={slot.key}
              slot={slot}
              at={at}
              error={problem(`variables.${at}`)}
              onChange={change}
              onRemove={() => remove(slot.key)}
            />
          ))}
        </ul>
        <Button
          size="small"
          icon={Plus}
          onClick={() => onChange({ ...draft, slots: [...draft.slots, newSlot()] })}
        >
          Add slot
        </Button>
      </FieldSet>
    </div>
  );
}

function SlotRow({
  slot,
  at,
  error,
  onChange,
  onRemove,
}: {
  slot: SlotDraft;
  at: number;
  error: string | undefined;
  onChange: (slot: SlotDraft) => void;
  onRemove: () => void;
}): ReactNode {
  const of = slot.name === '' ? `slot ${at + 1}` : slot.name;
  return (
    <li className="rounded-md border p-3">
      <div className="grid grid-cols-[1fr_auto] items-center gap-2 sm:grid-cols-[1.2fr_8rem_1fr_auto]">
        <TextInput
          aria-label={`Name of slot ${at + 1}`}
          aria-invalid={error === undefined ? undefined : true}
          placeholder="name"
          value={slot.name}
          onChange={(event) => onChange({ ...slot, name: event.target.value })}
          className="font-mono text-[13px]"
          spellCheck={false}
        />
        <div className="max-sm:order-2 max-sm:col-span-2">
          <Select
            aria-label={`Kind of the default of ${of}`}
            value={slot.kind}
            onChange={(event) => onChange({ ...slot, kind: event.target.value as SlotDraft['kind'] })}
            options={KINDS}
          />
        </div>
        <div className="max-sm:order-3 max-sm:col-span-2">
          {slot.kind === 'boolean' ? (
            <Select
              aria-label={`Default of ${of}`}
              value={slot.preset}
              onChange={(event) => onChange({ ...slot, preset: event.target.value })}
              options={[
                { value: '', label: 'no default' },
                { value: 'true', label: 'yes' },
                { value: 'false', label: 'no' },
              ]}
            />
          ) : (
            <TextInput
              aria-label={`Default of ${of}`}
              placeholder="no default"
              inputMode={slot.kind === 'number' ? 'decimal' : 'text'}
              value={slot.preset}
              onChange={(event) => onChange({ ...slot, preset: event.target.value })}
            />
          )}
        </div>
        <IconButton label={`Remove ${of}`} icon={Trash2} onClick={onRemove} />
      </div>
      <div className="mt-2">
        <CheckBox
          label={`A value is required${slot.name === '' ? '' : ` for ${slot.name}`}`}
          checked={slot.required}
          onChange={(event) => onChange({ ...slot, required: event.target.checked })}
        />
      </div>
      {error === undefined ? null : <p className="text-bad mt-1 text-[13px]">{error}</p>}
    </li>
  );
}
