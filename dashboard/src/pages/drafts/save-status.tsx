// Whether the draft is stored, and what to do when it is not.

import { Check, CloudOff, LoaderCircle, TriangleExclamationPoint } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';

import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import type { SaveState } from './draft-saver.ts';

const CHANGED = {
  campaign: 'This campaign was changed in another tab, or by somebody else',
  template: 'The draft of this template was changed in another tab',
};
const CLOCK = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' });

/** A few words beside the title. */
export function SaveStatus({ state, isNew }: { state: SaveState; isNew: boolean }): ReactNode {
  const { icon: Icon, text, tone } = wordsOf(state, isNew);
  return (
    <p role="status" className={cx('flex min-h-9 items-center gap-1.5 text-[13px]', tone)}>
      {text === '' ? null : (
        <Icon size={14} aria-hidden="true" className={state.is === 'saving' ? 'animate-spin' : ''} />
      )}
      {text}
    </p>
  );
}

function wordsOf(state: SaveState, isNew: boolean) {
  const muted = 'text-muted';
  switch (state.is) {
    case 'saved':
      if (isNew) return { icon: Check, text: '', tone: muted };
      return {
        icon: Check,
        text: state.at === null ? 'Draft saved' : `Draft saved at ${CLOCK.format(state.at)}`,
        tone: muted,
      };
    case 'saving':
      return { icon: LoaderCircle, text: 'Saving', tone: muted };
    case 'waiting':
      return {
        icon: TriangleExclamationPoint,
        text: isNew ? 'Not saved yet: enter a campaign name' : 'Not saved: a field needs a value',
        tone: 'text-warn',
      };
    case 'refused':
      return { icon: TriangleExclamationPoint, text: 'Not saved: see what is marked', tone: 'text-bad' };
    case 'offline':
      return { icon: CloudOff, text: 'Not saved: no connection. Trying again', tone: 'text-warn' };
    case 'conflict':
      return { icon: TriangleExclamationPoint, text: 'Not saved: changed elsewhere', tone: 'text-bad' };
  }
}

/** The stored draft is newer than the one that was opened here. `what` names it. */
export function ConflictNotice({
  what,
  onResolve,
}: {
  what: 'campaign' | 'template';
  onResolve: (keep: 'stored' | 'mine') => Promise<void>;
}): ReactNode {
  const [busy, setBusy] = useState(false);
  const resolve = async (keep: 'stored' | 'mine') => {
    setBusy(true);
    await onResolve(keep);
    setBusy(false);
  };
  return (
    <div role="alert" className="bg-warn-soft text-warn mb-5 rounded-lg px-5 py-4">
      <p className="font-semibold">{CHANGED[what]}</p>
      <p className="mt-1">
        Your last changes are not saved. Load the newer version and lose them, or keep yours and replace what
        was saved elsewhere.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" disabled={busy} onClick={() => void resolve('stored')}>
          Load the newer version
        </Button>
        <Button size="small" disabled={busy} onClick={() => void resolve('mine')}>
          Keep mine
        </Button>
      </div>
    </div>
  );
}
