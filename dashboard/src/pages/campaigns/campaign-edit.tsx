// The campaign editor, in four steps: audience, content, sender, review.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { useParams } from 'wouter';

import {
  CampaignChoicesDocument,
  CampaignDraftDocument,
  CreateCampaignDocument,
  UpdateCampaignDocument,
  type CampaignContentFragment,
} from '../../gen/pages/campaigns/campaign-edit.ts';
import { fieldSentence, pathLabel } from '../../graphql/error-text.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormError } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { AudienceStep } from './audience-step.tsx';
import { campaignInput, draftOf, type Choices } from './campaign-draft.ts';
import { ContentStep } from './content-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { SenderStep } from './sender-step.tsx';
import { STEPS, stepOfField, WizardSteps, type StepId } from './wizard-steps.tsx';

const BACK = { href: '/campaigns', label: 'Campaigns' };
const FIELDS = ['name', 'from', 'replyTo', 'subject', 'templateId', 'html', 'text', 'audience'];

/** A new campaign, or an existing draft. */
export function CampaignEditPage(): ReactNode {
  const id = useParams()['id'];
  const [choices, again] = useQuery({ query: CampaignChoicesDocument, variables: {} });
  const [draft, readDraft] = useQuery({
    query: CampaignDraftDocument,
    variables: { id: id ?? '' },
    pause: id === undefined,
  });
  const title = id === undefined ? 'New campaign' : 'Edit campaign';
  const error = choices.error ?? draft.error;
  if (!choices.data || (id !== undefined && !draft.data)) {
    const retry = () => {
      again({ requestPolicy: 'network-only' });
      if (id !== undefined) readDraft({ requestPolicy: 'network-only' });
    };
    return (
      <>
        <PageHeader title={title} back={BACK} />
        {error ? <ErrorState error={error} onRetry={retry} /> : <PageSkeleton />}
      </>
    );
  }
  const campaign = draft.data?.campaign ?? null;
  const editable = campaign === null || campaign.status === 'draft' || campaign.status === 'scheduled';
  const all: Choices = {
    domains: choices.data.domains.edges.map(({ node }) => node),
    templates: choices.data.templates.edges.map(({ node }) => node),
    lists: choices.data.contactLists.edges.map(({ node }) => node),
  };
  const sendable = all.domains.some(({ status }) => status === 'verified');
  return (
    <>
      <PageHeader title={title} back={BACK} />
      {!editable ? (
        <Refusal title="A launched campaign cannot be edited" href={`/campaigns/${campaign.id}`}>
          View campaign
        </Refusal>
      ) : !sendable ? (
        <Refusal title="Verify a domain before you create a campaign" href="/domains">
          Verify a domain
        </Refusal>
      ) : (
        <Wizard key={id ?? 'new'} stored={campaign} choices={all} />
      )}
    </>
  );
}

function Refusal({ title, href, children }: { title: string; href: string; children: ReactNode }): ReactNode {
  return (
    <Card flush>
      <EmptyState
        title={title}
        action={
          <ButtonLink href={href} variant="primary">
            {children}
          </ButtonLink>
        }
      />
    </Card>
  );
}

function Wizard({
  stored,
  choices,
}: {
  stored: CampaignContentFragment | null;
  choices: Choices;
}): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(stored, choices));
  const [savedId, setSavedId] = useState(stored?.id ?? null);
  const [step, setStep] = useState<StepId>('audience');
  const creating = useMutationForm(CreateCampaignDocument, FIELDS);
  const updating = useMutationForm(UpdateCampaignDocument, FIELDS);
  const form = savedId === null ? creating : updating;
  const at = STEPS.findIndex(({ id }) => id === step);
  const failing = FIELDS.find((field) => form.fieldError(field) !== undefined);

  // The review shows the saved campaign, so the draft is saved first.
  const save = async () => {
    const input = campaignInput(draft);
    if (savedId !== null) return (await updating.run({ input: { id: savedId, ...input } })) !== null;
    const done = await creating.run({ input });
    if (done !== null) setSavedId(done.createCampaign.campaign.id);
    return done !== null;
  };
  const go = async (next: StepId) => {
    if (next === 'review' && !(await save())) return;
    setStep(next);
    scrollTo({ top: 0 });
  };
  const props = { draft, onChange: setDraft, choices, fieldError: form.fieldError };
  if (step === 'review' && savedId !== null) {
    return (
      <>
        <WizardSteps current={step} onGo={(next) => void go(next)} />
        <ReviewStep id={savedId} draft={draft} choices={choices} onBack={() => void go('sender')} />
      </>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.running) void go(STEPS[at + 1]?.id ?? 'review');
      }}
    >
      <WizardSteps current={step} onGo={(next) => void go(next)} />
      <Card>
        {step === 'audience' ? <AudienceStep {...props} /> : null}
        {step === 'content' ? <ContentStep {...props} /> : null}
        {step === 'sender' ? <SenderStep {...props} /> : null}
        <div className="mt-5">
          <FormError
            message={
              failing !== undefined && stepOfField(failing) !== step
                ? `${STEPS.find(({ id }) => id === stepOfField(failing))?.label ?? ''}: ${fieldSentence(pathLabel(failing), form.fieldError(failing) ?? '')}`
                : form.error
            }
          />
        </div>
        <DialogFooter>
          {at === 0 ? null : <Button onClick={() => void go(STEPS[at - 1]?.id ?? 'audience')}>Back</Button>}
          <Button type="submit" variant="primary" busy={form.running}>
            {step === 'sender' ? 'Save and review' : 'Continue'}
          </Button>
        </DialogFooter>
      </Card>
    </form>
  );
}
