// The seconds after a launch in which it can be undone. The API holds the campaign back (`delaySeconds`), so nothing has
// left while the button is there, whatever becomes of this page.

import { Undo2 } from '../../gen/icons.ts';
import { useEffect, useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import { UndoLaunchDocument, type CampaignDetailFragment } from '../../gen/pages/campaigns/campaign.ts';
import { monotonicMs, nowMs } from '../../clock.ts';
import { errorText } from '../../graphql/error-text.ts';
import { usePoll } from '../../graphql/use-poll.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Seconds in which a launch can be undone. */
export const UNDO_SECONDS = 10;

/** Seconds that the API holds a launch back: two more, for the way of the last click. */
export const LAUNCH_DELAY_SECONDS = UNDO_SECONDS + 2;

const TICK_MS = 250;
const READ_MS = 1_000;

// Launches from this page, by campaign: a count that needs no agreement between this clock and the server's.
const launches = new Map<string, number>();

/** Remembers that a campaign was launched now. */
export function noteLaunch(id: string): void {
  launches.set(id, monotonicMs());
}

// Milliseconds left to undo; after a reload by this computer's clock, at most what a launch has.
function leftOf(id: string, scheduledAt: string | null): number {
  const since = launches.get(id);
  if (since !== undefined) return UNDO_SECONDS * 1000 - (monotonicMs() - since);
  if (scheduledAt === null) return 0;
  return Date.parse(scheduledAt) - nowMs() - (LAUNCH_DELAY_SECONDS - UNDO_SECONDS) * 1000;
}

/** Whether a scheduled campaign is one that was just launched. */
export function isHeldBack({ id, status, scheduledAt }: CampaignDetailFragment): boolean {
  return status === 'scheduled' && (launches.has(id) || leftOf(id, scheduledAt) <= UNDO_SECONDS * 1000);
}

/** The count down and the button; then a word until sending has begun. `onRead` reads the campaign again. */
export function LaunchUndo({
  campaign: { id, scheduledAt },
  onRead,
}: {
  campaign: CampaignDetailFragment;
  onRead: () => void;
}): ReactNode {
  const [left, setLeft] = useState(() => leftOf(id, scheduledAt));
  const [{ fetching }, undo] = useMutation(UndoLaunchDocument);
  const [, navigate] = useLocation();
  const toast = useToast();
  useEffect(() => {
    const timer = setInterval(() => setLeft(leftOf(id, scheduledAt)), TICK_MS);
    return () => clearInterval(timer);
  }, [id, scheduledAt]);
  usePoll(left <= 0, READ_MS, onRead);
  const takeBack = async () => {
    const { error } = await undo({ input: { id } });
    if (error) return toast(errorText(error), 'bad');
    launches.delete(id);
    toast('Launch undone. Nothing was sent');
    navigate(`/campaigns/${id}/edit/review`);
  };
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const isOpen = left > 0;
  return (
    <div className="bg-note-soft text-note flex flex-wrap items-center justify-between gap-3 rounded-lg px-5 py-4">
      <div>
        <p className="font-semibold" role="status">
          {isOpen ? 'Launched. Nothing has been sent yet' : 'Sending starts now'}
        </p>
        {isOpen ? (
          <p className="mt-0.5 tabular-nums" role="timer">
            Sending starts in {seconds} {seconds === 1 ? 'second' : 'seconds'}.
          </p>
        ) : null}
      </div>
      {isOpen ? (
        <Button icon={Undo2} busy={fetching} onClick={() => void takeBack()}>
          Undo launch
        </Button>
      ) : null}
    </div>
  );
}
