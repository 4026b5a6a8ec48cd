// The draft of the wizard, saved while it is written (draft-saver.ts).

import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from 'urql';

import {
  CampaignDraftDocument,
  CreateCampaignDocument,
  UpdateCampaignDocument,
  type CampaignContentFragment,
} from '../../gen/pages/campaigns/campaign-edit.ts';
import {
  campaignInput,
  draftOf,
  heldFields,
  isBlank,
  type CampaignDraft,
  type Choices,
} from './campaign-draft.ts';
import { DraftSaver, type SaverView } from './draft-saver.ts';

/** What the wizard sees of it. */
export interface Autosave extends SaverView {
  draft: CampaignDraft;
  onChange: (draft: CampaignDraft) => void;
  /** What the API says about a field, while it has the value that was refused. */
  fieldError: (name: string) => string | undefined;
  /** Saves now. True when everything is stored. */
  flush: () => Promise<boolean>;
  /** The version that was saved last, and the id, as they are now. */
  version: () => number;
  currentId: () => string | null;
  /** After a conflict: shows what is stored, or puts what is here in its place. */
  resolve: (keep: 'stored' | 'mine') => Promise<void>;
}

/** Keeps a draft saved. `onCreated` is called once, when a new one has its id, and must not depend on what is shown. */
export function useAutosave(
  stored: CampaignContentFragment | null,
  choices: Choices,
  onCreated: (id: string) => void,
): Autosave {
  const client = useClient();
  const [draft, setDraft] = useState(() => draftOf(stored, choices));
  const [view, setView] = useState<SaverView | null>(null);
  const [saver] = useState(
    () =>
      new DraftSaver(
        {
          onChange: setView,
          onCreated,
          create: async (input) => {
            const result = await client
              .mutation(CreateCampaignDocument, { input: { ...input, unfinished: true } })
              .toPromise();
            return { saved: result.data?.createCampaign.campaign, error: result.error };
          },
          update: async (id, version, changes) => {
            const input = { ...changes, id, version, unfinished: true };
            const result = await client.mutation(UpdateCampaignDocument, { input }).toPromise();
            return { saved: result.data?.updateCampaign.campaign, error: result.error };
          },
        },
        stored,
        campaignInput(draft),
        heldFields(draft),
      ),
  );
  const now = view ?? saver.view;

  const { id } = now;
  const isLost = useEffectEvent(() => !saver.isSaved() && !(id === null && isBlank(draft)));
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isLost()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
      void saver.flush(); // to another page of the dashboard: the request outlives this one
    };
  }, [saver]);

  const change = (next: CampaignDraft) => {
    setDraft(next);
    saver.set(campaignInput(next), heldFields(next));
  };
  return {
    ...now,
    draft,
    onChange: change,
    version: () => saver.version,
    currentId: () => saver.view.id,
    flush: () => saver.flush(),
    fieldError: (name) => {
      const refusal = now.refused.get(name);
      const value = JSON.stringify(campaignInput(draft)[name as keyof ReturnType<typeof campaignInput>]);
      return refusal !== undefined && refusal.value === value ? refusal.message : undefined;
    },
    resolve: async (keep) => {
      const result = await client
        .query(CampaignDraftDocument, { id: id ?? '' }, { requestPolicy: 'network-only' })
        .toPromise();
      const other = result.data?.campaign;
      if (!other) return;
      if (keep === 'mine') {
        saver.rebase(other.version, null);
        await saver.flush();
        return;
      }
      const theirs = draftOf(other, choices);
      setDraft(theirs);
      saver.rebase(other.version, campaignInput(theirs));
      saver.set(campaignInput(theirs), []);
    },
  };
}
