// The time zone in which the signed-in person is shown all times.

import { type ReactNode } from 'react';
import { useMutation } from 'urql';

import { UpdateProfileDocument } from '../../gen/pages/profile/profile.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/text-input.tsx';
import { useToast } from '../../ui/toast.tsx';
import { chooseTimeZone, LOCAL_ZONE } from '../../ui/zone.ts';

const NAMED = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');
const CHOICES = [
  { value: '', label: `This browser’s (${LOCAL_ZONE})` },
  ...['UTC', ...NAMED].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
];

/** Disabled in a session by SSO. */
export function TimeZoneCard({ disabled }: { disabled: boolean }): ReactNode {
  const { timeZone } = useViewer();
  const [, update] = useMutation(UpdateProfileDocument);
  const toast = useToast();
  const choose = async (zone: string) => {
    const input = { timeZone: zone === '' ? null : zone };
    const { error } = await update({ input }, { additionalTypenames: ['Viewer'] });
    if (error) return toast(errorText(error), 'bad');
    chooseTimeZone(input.timeZone);
    toast('Saved');
  };
  return (
    <Card title="Time zone">
      <Field
        label="Show times in"
        hint="All times on these pages, in every browser where you sign in. Caps and daily counts go by UTC days."
      >
        <Select
          value={timeZone ?? ''}
          disabled={disabled}
          onChange={(event) => void choose(event.target.value)}
          options={CHOICES}
          className="sm:max-w-sm"
        />
      </Field>
    </Card>
  );
}
