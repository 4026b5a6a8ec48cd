// What can be done about a message: send it again, send it to oneself, try it now, cancel it. Viewers see none of it.

import { Ban, FastForward, RotateCw, Send } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import { SendMessageAgainDocument, TryMessageNowDocument } from '../../gen/pages/messages/message-actions.ts';
import { CancelMessageDocument, type MessageDetailFragment } from '../../gen/pages/messages/message.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

type Asking = 'again' | 'me' | 'cancel' | null;

/** The buttons of the header; `onRefusal` shows why a message cannot be tried now. */
export function MessageActions({
  message,
  isGone,
  onRefusal,
}: {
  message: MessageDetailFragment;
  /** What it says is not kept: it cannot be sent again. */
  isGone: boolean;
  onRefusal: (sentence: string | null) => void;
}): ReactNode {
  const { canWrite, user } = useViewer();
  const [asking, setAsking] = useState<Asking>(null);
  const [{ fetching: trying }, tryNow] = useMutation(TryMessageNowDocument);
  const toast = useToast();
  if (!canWrite) return null;
  const waits = message.status === 'deferred';
  const onTry = async () => {
    const { error } = await tryNow({ input: { id: message.id } });
    onRefusal(error ? errorText(error) : null);
    if (!error) toast('It is tried within seconds');
  };
  const close = () => setAsking(null);
  return (
    <>
      {waits ? (
        <>
          <Button variant="primary" icon={FastForward} busy={trying} onClick={() => void onTry()}>
            Try now
          </Button>
          <Button icon={Ban} onClick={() => setAsking('cancel')}>
            Cancel message
          </Button>
        </>
      ) : null}
      {isGone ? null : (
        <>
          <Button icon={RotateCw} onClick={() => setAsking('again')}>
            Send again
          </Button>
          <Button icon={Send} onClick={() => setAsking('me')}>
            Send to me
          </Button>
        </>
      )}
      {asking === 'again' ? <SendAgainDialog id={message.id} to={message.to} onClose={close} /> : null}
      {asking === 'me' ? <SendAgainDialog id={message.id} to={user.email} toMe onClose={close} /> : null}
      <CancelDialog id={message.id} open={asking === 'cancel'} onClose={close} />
    </>
  );
}

// Made anew each time that it opens: one opening sends once, however often the button is pressed or the line breaks.
function SendAgainDialog({
  id,
  to,
  toMe = false,
  onClose,
}: {
  id: string;
  to: string;
  toMe?: boolean;
  onClose: () => void;
}): ReactNode {
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [, send] = useMutation(SendMessageAgainDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  const confirm = async () => {
    const input = { id, idempotencyKey, ...(toMe && { to }) };
    const { data, error } = await send({ input }, { additionalTypenames: ['Message'] });
    if (error || !data) return error ? errorText(error) : 'The server gave no answer. Try again.';
    const { id: made, status } = data.sendMessageAgain;
    if (status === 'dropped') toast('It was not sent: the recipient is on the suppression list.', 'bad');
    else toast(`Sent again to ${to}`);
    if (!toMe) navigate(`/messages/${made}`);
    return null;
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      danger={false}
      title={toMe ? 'Send this message to yourself?' : 'Send this message again?'}
      confirmLabel={toMe ? 'Send to me' : 'Send again'}
      onConfirm={confirm}
    >
      <p>
        <span className="text-ink font-medium [overflow-wrap:anywhere]">{to}</span> gets the same content as a
        new message. It counts under the quota and the warm-up cap like any other.
      </p>
      {toMe ? <p>Clicking or unsubscribing in your copy does not affect the recipient.</p> : null}
    </ConfirmDialog>
  );
}

function CancelDialog({ id, open, onClose }: { id: string; open: boolean; onClose: () => void }): ReactNode {
  const [, cancel] = useMutation(CancelMessageDocument);
  const toast = useToast();
  const confirm = async () => {
    const { error } = await cancel({ input: { id } });
    if (error) return errorText(error);
    toast('Message cancelled');
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Cancel this message?"
      confirmLabel="Cancel message"
      onConfirm={confirm}
    >
      <p>The message will not be sent. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
