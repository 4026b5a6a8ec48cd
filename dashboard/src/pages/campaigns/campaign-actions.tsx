// The actions for a campaign, by its status.

import { Ban, Copy, Pause, Pencil, Play, Trash, Undo2 } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import {
  CancelCampaignDocument,
  DeleteCampaignDocument,
  DuplicateCampaignDocument,
  PauseCampaignDocument,
  ResumeCampaignDocument,
  UndoLaunchDocument,
  type CampaignDetailFragment,
} from '../../gen/pages/campaigns/campaign.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

/** The buttons, with their confirmations. */
export function CampaignActions({
  campaign: { id, name, status },
  isHeldBack,
}: {
  campaign: CampaignDetailFragment;
  /** It was just launched: the one thing to do is to undo that. */
  isHeldBack: boolean;
}): ReactNode {
  const { canWrite } = useViewer();
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const [{ fetching: copying }, duplicate] = useMutation(DuplicateCampaignDocument);
  const [{ fetching: unscheduling }, unschedule] = useMutation(UndoLaunchDocument);
  const [{ fetching: pausing }, pause] = useMutation(PauseCampaignDocument);
  const [{ fetching: resuming }, resume] = useMutation(ResumeCampaignDocument);
  const toast = useToast();
  const copy = async () => {
    const { data, error } = await duplicate({ input: { id } });
    if (!data) return toast(error ? errorText(error) : 'Something went wrong. Try again.', 'bad');
    toast(`${data.duplicateCampaign.campaign.name} was created`);
    navigate(`/campaigns/${data.duplicateCampaign.campaign.id}/edit/audience`);
  };
  const run = async (mutation: typeof pause | typeof resume | typeof unschedule, done: string) => {
    const { error } = await mutation({ input: { id } });
    if (error) toast(errorText(error), 'bad');
    else toast(done);
  };
  if (isHeldBack || !canWrite) return null;
  const editable = status === 'draft' || status === 'scheduled';
  return (
    <>
      <Button icon={Copy} busy={copying} onClick={() => void copy()}>
        Duplicate
      </Button>
      {editable ? (
        <>
          <Button icon={Trash} onClick={() => setAsking('delete')}>
            Delete
          </Button>
          <ButtonLink href={`/campaigns/${id}/edit`} variant="primary" icon={Pencil}>
            {status === 'draft' ? 'Edit and launch' : 'Edit'}
          </ButtonLink>
        </>
      ) : null}
      {status === 'scheduled' ? (
        <Button
          icon={Undo2}
          busy={unscheduling}
          onClick={() => void run(unschedule, 'Campaign is a draft again')}
        >
          Back to draft
        </Button>
      ) : null}
      {status === 'sending' || status === 'paused' ? (
        <Button icon={Ban} onClick={() => setAsking('cancel')}>
          Cancel campaign
        </Button>
      ) : null}
      {status === 'sending' ? (
        <Button icon={Pause} busy={pausing} onClick={() => void run(pause, 'Campaign paused')}>
          Pause
        </Button>
      ) : null}
      {status === 'paused' ? (
        <Button
          variant="primary"
          icon={Play}
          busy={resuming}
          onClick={() => void run(resume, 'Campaign resumed')}
        >
          Resume
        </Button>
      ) : null}
      <CancelDialog id={id} name={name} open={asking === 'cancel'} onClose={() => setAsking(null)} />
      <DeleteDialog id={id} name={name} open={asking === 'delete'} onClose={() => setAsking(null)} />
    </>
  );
}

interface Asked {
  id: string;
  name: string;
  open: boolean;
  onClose: () => void;
}

function CancelDialog({ id, name, open, onClose }: Asked): ReactNode {
  const [, cancel] = useMutation(CancelCampaignDocument);
  const toast = useToast();
  const confirm = async () => {
    const { error } = await cancel({ input: { id } });
    if (error) return errorText(error);
    toast('Campaign cancelled');
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Cancel ${name}?`}
      confirmLabel="Cancel campaign"
      onConfirm={confirm}
    >
      <p>Sent messages are not affected. Waiting messages are cancelled. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ id, name, open, onClose }: Asked): ReactNode {
  const [, remove] = useMutation(DeleteCampaignDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  const confirm = async () => {
    const { error } = await remove({ input: { id } }, { additionalTypenames: ['Campaign'] });
    if (error) return errorText(error);
    toast(`${name} was deleted`);
    navigate('/campaigns', { replace: true });
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${name}?`}
      confirmLabel="Delete campaign"
      onConfirm={confirm}
    >
      <p>The campaign has not been launched, so nothing was sent. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
