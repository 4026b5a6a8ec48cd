// The campaign editor, in four steps: audience, content, sender, review. Each step has its address.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { Redirect, useLocation, useParams } from 'wouter';

import {
  CampaignChoicesDocument,
  CampaignDraftDocument,
  type CampaignContentFragment,
} from '../../gen/pages/campaigns/campaign-edit.ts';
import { fieldSentence, pathLabel } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormError } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { ConflictNotice, SaveStatus } from '../drafts/save-status.tsx';
import { AudienceStep } from './audience-step.tsx';
import { problemsOf, type Choices } from './campaign-draft.ts';
import { ContentStep } from './content-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { CampaignPreview } from './campaign-preview.tsx';
import { SenderStep } from './sender-step.tsx';
import { useAutosave, type Autosave } from './use-autosave.ts';
import { stepOf, stepOfField, STEPS, WizardSteps, type StepId } from './wizard-steps.tsx';

const NEW = '/campaigns/new/';
const BACK = { href: '/campaigns', label: 'Campaigns' };
const FIELDS = ['name', 'from', 'replyTo', 'subject', 'templateId', 'html', 'text', 'audience'];

/** A new campaign, or an existing draft. */
export function CampaignEditPage(): ReactNode {
  const { id: given, step } = useParams();
  const { canWrite } = useViewer();
  const [opened, setOpened] = useState(given);
  const id = opened === 'new' ? undefined : opened;
  const [choices, again] = useQuery({ query: CampaignChoicesDocument, variables: {} });
  const [draft, readDraft] = useQuery({
    query: CampaignDraftDocument,
    variables: { id: id ?? '' },
    pause: id === undefined,
    requestPolicy: 'network-only', // an older one would be a conflict with the first key press
  });
  // A new campaign that was stored for the first time has another address, and the same wizard.
  if (given !== opened && !(opened === 'new' && given !== undefined)) setOpened(given);
  if (given === undefined) return <Redirect to="/campaigns/new/edit/audience" replace />;
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
      {id !== undefined && campaign === null ? (
        <Refusal title="Campaign not found. It may have been deleted" href="/campaigns">
          View campaigns
        </Refusal>
      ) : !canWrite ? (
        <Refusal title="Your role can view campaigns but not edit them" href="/campaigns">
          View campaigns
        </Refusal>
      ) : !editable ? (
        <Refusal title="A launched campaign cannot be edited" href={`/campaigns/${id ?? ''}`}>
          View campaign
        </Refusal>
      ) : !sendable ? (
        <Refusal title="Verify a domain before you create a campaign" href="/domains">
          Verify a domain
        </Refusal>
      ) : (
        <Wizard key={opened} stored={campaign} choices={all} step={stepOf(step)} />
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
  step,
}: {
  stored: CampaignContentFragment | null;
  choices: Choices;
  step: StepId;
}): ReactNode {
  const [, navigate] = useLocation();
  const autosave = useAutosave(stored, choices, (created) => {
    const { pathname } = location;
    if (pathname.startsWith(NEW))
      navigate(pathname.replace(NEW, `/campaigns/${created}/`), { replace: true });
  });
  const { draft, id, state, flush } = autosave;
  const [checked, setChecked] = useState<readonly StepId[]>([]);
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const at = STEPS.findIndex((one) => one.id === step);
  const label = STEPS[at]?.label ?? '';
  const problems = problemsOf(draft, step);
  const failing = FIELDS.find((field) => autosave.fieldError(field) !== undefined);

  const show = (next: StepId) => {
    navigate(`/campaigns/${autosave.currentId() ?? 'new'}/edit/${next}`);
    scrollTo({ top: 0 });
  };
  // To a later step only past steps that are done; what is not done is shown where it is.
  const go = async (next: StepId) => {
    const to = STEPS.findIndex((one) => one.id === next);
    const open = STEPS.slice(0, to).find((one) => Object.keys(problemsOf(draft, one.id)).length > 0);
    setChecked(STEPS.slice(0, to).map((one) => one.id));
    setBusy(true);
    const isStored = await flush();
    setBusy(false);
    if (open) return show(open.id);
    if (next !== 'review' || isStored) show(next);
  };
  // An address of a step beyond one that is not done, for example from a bookmark.
  const early = STEPS.slice(0, at).find((one) => Object.keys(problemsOf(draft, one.id)).length > 0);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [step]);
  if (early && step === 'review')
    return <Redirect to={`/campaigns/${id ?? 'new'}/edit/${early.id}`} replace />;

  const props = {
    draft,
    id,
    onChange: autosave.onChange,
    choices,
    fieldError: (name: string) =>
      (checked.includes(step) ? problems[name] : undefined) ?? autosave.fieldError(name),
  };
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <WizardSteps current={step} onGo={(next) => void go(next)} />
        <SaveStatus state={state} isNew={id === null} />
      </div>
      {state.is === 'conflict' ? <ConflictNotice what="campaign" onResolve={autosave.resolve} /> : null}
      <h2 ref={heading} tabIndex={-1} className="sr-only">
        {`Step ${at + 1} of ${STEPS.length}: ${label}`}
      </h2>
      {step === 'review' && id !== null ? (
        <ReviewStep
          id={id}
          version={autosave.version}
          draft={draft}
          choices={choices}
          onBack={() => void go('sender')}
        />
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void go(STEPS[at + 1]?.id ?? 'review');
          }}
        >
          <Card>
            {step === 'audience' ? <AudienceStep {...props} /> : null}
            {step === 'content' ? <ContentStep {...props} /> : null}
            {step === 'sender' ? <SenderStep {...props} /> : null}
            <div className="mt-5">
              <FormError message={problemElsewhere(step, failing, autosave)} />
            </div>
            <DialogFooter>
              {at === 0 ? null : (
                <Button onClick={() => void go(STEPS[at - 1]?.id ?? 'audience')}>Back</Button>
              )}
              <Button type="submit" variant="primary" busy={busy}>
                {step === 'sender' ? 'Continue to review' : 'Continue'}
              </Button>
            </DialogFooter>
          </Card>
        </form>
      )}
      {id !== null && step === 'content' ? (
        <div className="mt-6">
          <CampaignPreview id={id} saved={String(autosave.version())} />
        </div>
      ) : null}
    </>
  );
}

// What was refused and is not shown by a field of this step.
function problemElsewhere(
  step: StepId,
  field: string | undefined,
  { state, fieldError }: Autosave,
): string | null {
  if (field === undefined) return state.is === 'refused' ? state.error : null;
  const place = stepOfField(field);
  if (place === step) return null;
  const label = STEPS.find(({ id }) => id === place)?.label ?? '';
  return `${label}: ${fieldSentence(pathLabel(field), fieldError(field) ?? '')}`;
}
