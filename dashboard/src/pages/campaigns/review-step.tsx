// Review: all details, the checks with the plan by day, and the launch.

import { Rocket } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { LaunchCampaignDocument } from '../../gen/pages/campaigns/campaign-edit.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Field, FieldSet, FormError } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { TextInput } from '../../ui/text-input.tsx';
import { timeOfField, timeZone } from '../../ui/zone.ts';
import { useToast } from '../../ui/toast.tsx';
import { fromOf, type CampaignDraft, type Choices } from './campaign-draft.ts';
import { CampaignPreview } from './campaign-preview.tsx';
import { LAUNCH_DELAY_SECONDS, noteLaunch, UNDO_SECONDS } from './launch-undo.tsx';
import { LaunchPreflight, launchSentence, useLaunchChecks, type LaunchChecks } from './launch-preflight.tsx';

interface Props {
  id: string;
  /** The version of what is reviewed: what was changed elsewhere meanwhile is not launched. */
  version: () => number;
  draft: CampaignDraft;
  choices: Choices;
}

/** The campaign is saved as a draft by now. */
export function ReviewStep({
  id,
  version,
  draft,
  choices,
  onBack,
}: Props & { onBack: () => void }): ReactNode {
  const checks = useLaunchChecks(id);
  const launch = useLaunch(id, version, draft.name);
  return (
    <div className="space-y-6">
      <Card
        title={draft.name}
        description="Nothing is sent until you launch it."
        actions={<LaunchButton launch={launch} />}
      >
        <DescriptionList items={factsOf(draft, choices)} />
      </Card>
      <CampaignPreview id={id} saved={String(version())} />
      <LaunchPreflight checks={checks} />
      <LaunchCard id={id} launch={launch} onBack={onBack} />
      <LaunchDialog name={draft.name} launch={launch} found={checks.found} />
    </div>
  );
}

function factsOf(draft: CampaignDraft, { lists, templates }: Choices): { term: string; value: ReactNode }[] {
  const list = lists.find(({ id }) => id === draft.listId);
  const template = templates.find(({ id }) => id === draft.templateId);
  const audience = {
    all: 'All subscribed contacts',
    tag: `Subscribed contacts with the tag ${draft.tag}`,
    list: `Subscribed contacts of ${list?.name ?? 'the list'} (${formatNumber(list?.contactsCount ?? 0)} contacts)`,
  }[draft.audience];
  const own = draft.content === 'own';
  return [
    { term: 'Audience', value: audience },
    { term: 'From', value: fromOf(draft) },
    { term: 'Reply to', value: draft.replyTo.trim() === '' ? 'the sender' : draft.replyTo },
    { term: 'Content', value: own ? 'Written in the campaign' : `Template ${template?.name ?? ''}` },
    { term: 'Subject', value: draft.subject.trim() === '' ? (template?.subject ?? '') : draft.subject },
    {
      term: 'Tracking',
      value:
        [draft.trackOpens && 'opens', draft.trackClicks && 'clicks'].filter(Boolean).join(' and ') || 'none',
    },
  ];
}

// The state of the launch: the card at the end sets it, the buttons and the dialog use it.
function useLaunch(id: string, version: () => number, name: string) {
  const [later, setLater] = useState(false);
  const [time, setTime] = useState('');
  const [asking, setAsking] = useState(false);
  const form = useMutationForm(LaunchCampaignDocument, ['scheduledAt']);
  const [, navigate] = useLocation();
  const toast = useToast();
  const at = later && time !== '' ? timeOfField(time) : null;
  const run = async () => {
    const when = at ? { scheduledAt: at } : { delaySeconds: LAUNCH_DELAY_SECONDS };
    const done = await form.run({ input: { id, version: version(), ...when } });
    if (done === null) return null; // the form of the card shows the error
    if (at) toast(`${name} was scheduled`);
    else noteLaunch(id);
    navigate(`/campaigns/${id}`);
    return null;
  };
  return { later, setLater, time, setTime, asking, setAsking, form, run };
}

type LaunchState = ReturnType<typeof useLaunch>;

function LaunchButton({ launch: { later, time, form, setAsking } }: { launch: LaunchState }): ReactNode {
  return (
    <Button
      variant="primary"
      icon={Rocket}
      busy={form.running}
      disabled={later && time === ''}
      onClick={() => setAsking(true)}
    >
      {later ? 'Schedule' : 'Launch'}
    </Button>
  );
}

function LaunchCard({
  id,
  launch,
  onBack,
}: {
  id: string;
  launch: LaunchState;
  onBack: () => void;
}): ReactNode {
  const { later, setLater, time, setTime, form } = launch;
  return (
    <Card title="Launch">
      <div className="max-w-md space-y-5">
        <FieldSet label="Send">
          {[false, true].map((choice) => (
            <label key={String(choice)} className="flex items-center gap-2">
              <input
                type="radio"
                name="when"
                className="accent-accent size-4"
                checked={later === choice}
                onChange={() => setLater(choice)}
              />
              {choice ? 'Schedule' : 'Now'}
            </label>
          ))}
        </FieldSet>
        {later ? (
          <Field
            label="Date and time"
            hint={`In your time zone, ${timeZone()}.`}
            error={form.fieldError('scheduledAt')}
          >
            <TextInput type="datetime-local" value={time} onChange={(event) => setTime(event.target.value)} />
          </Field>
        ) : null}
        <FormError message={form.error} />
      </div>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        <ButtonLink href={`/campaigns/${id}`}>Keep as draft</ButtonLink>
        <LaunchButton launch={launch} />
      </div>
    </Card>
  );
}

// The plan is that of a launch now: nobody knows the caps of a later day.
function LaunchDialog({
  name,
  launch: { later, asking, setAsking, run },
  found,
}: {
  name: string;
  launch: LaunchState;
  found: LaunchChecks['found'];
}): ReactNode {
  const count =
    found &&
    `${formatNumber(found.audience.sendable)} ${found.audience.sendable === 1 ? 'recipient' : 'recipients'}`;
  return (
    <ConfirmDialog
      open={asking}
      onClose={() => setAsking(false)}
      title={later ? `Schedule ${name}?` : `Launch ${name} now?`}
      confirmLabel={later ? 'Schedule' : 'Launch'}
      danger={false}
      onConfirm={run}
    >
      {found ? (
        <p>
          <span className="text-ink font-medium">{later ? `${count} as of now.` : `${count}.`}</span>{' '}
          {later ? null : launchSentence(found)}
        </p>
      ) : null}
      <p>
        {later
          ? 'The campaign starts automatically. Until then you can edit or cancel it.'
          : `You can undo the launch for ${UNDO_SECONDS} seconds. After that you can pause or cancel the campaign, but sent messages cannot be recalled.`}
      </p>
    </ConfirmDialog>
  );
}
