// The actions for a campaign, by its status.

import { Ban, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import {
  CancelCampaignDocument,
  DeleteCampaignDocument,
  PauseCampaignDocument,
  ResumeCampaignDocument,
  type CampaignDetailFragment,
} from '../../gen/pages/campaigns/campaign.ts';
import { errorText } from '../../graphql/error-text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

/** The buttons, with their confirmations. */
export function CampaignActions({
  campaign: { id, name, status },
}: {
  campaign: CampaignDetailFragment;
}): ReactNode {
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const [{ fetching: pausing }, pause] = useMutation(PauseCampaignDocument);
  const [{ fetching: resuming }, resume] = useMutation(ResumeCampaignDocument);
  const toast = useToast();
  const run = async (mutation: typeof pause | typeof resume, done: string) => {
    const { error } = await mutation({ input: { id } });
    if (error) toast(errorText(error), 'bad');
    else toast(done);
  };
  const editable = status === 'draft' || status === 'scheduled';
  return (
    <>
      {editable ? (
        <>
          <Button icon={Trash2} onClick={() => setAsking('delete')}>
            Delete
          </Button>
          <ButtonLink href={`/campaigns/${id}/edit`} variant="primary" icon={Pencil}>
            {status === 'draft' ? 'Edit and launch' : 'Edit'}
          </ButtonLink>
        </>
      ) : null}
      {status === 'scheduled' || status === 'sending' || status === 'paused' ? (
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
