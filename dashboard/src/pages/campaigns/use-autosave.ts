// The draft of the wizard, saved while it is written (../drafts/draft-saver.ts).

import { useState } from 'react';
import { useClient } from 'urql';

import {
  CampaignDraftDocument,
  CreateCampaignDocument,
  UpdateCampaignDocument,
  type CampaignContentFragment,
} from '../../gen/pages/campaigns/campaign-edit.ts';
import { DraftSaver, type SaverView } from '../drafts/draft-saver.ts';
import { useDraftSaver } from '../drafts/use-draft-saver.ts';
import {
  campaignInput,
  draftOf,
  heldFields,
  isBlank,
  type CampaignDraft,
  type CampaignInput,
  type Choices,
} from './campaign-draft.ts';

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
  const [saver, now] = useDraftSaver<CampaignInput, number>(
    (onChange) =>
      new DraftSaver(
        {
          onChange,
          onCreated,
          needed: ['name', 'from', 'audience'],
          complete: withTemplate,
          create: async (input) => {
            const result = await client
              .mutation(CreateCampaignDocument, { input: { ...input, unfinished: true } })
              .toPromise();
            return { saved: result.data?.createCampaign.campaign, error: result.error };
          },
          update: async ({ id, version }, changes) => {
            const input = { ...changes, id, version, unfinished: true };
            const result = await client.mutation(UpdateCampaignDocument, { input }).toPromise();
            return { saved: result.data?.updateCampaign.campaign, error: result.error };
          },
        },
        stored,
        stored === null ? {} : campaignInput(draft),
        campaignInput(draft),
        heldFields(draft),
      ),
    (all) => !all.isSaved() && !(all.view.id === null && isBlank(draft)),
  );
  const { id } = now;

  const change = (next: CampaignDraft) => {
    setDraft(next);
    saver.set(campaignInput(next), heldFields(next));
  };
  return {
    ...now,
    draft,
    onChange: change,
    version: () => saver.version ?? 0,
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
        saver.rebase(other, {});
        await saver.flush();
        return;
      }
      const theirs = draftOf(other, choices);
      setDraft(theirs);
      saver.rebase(other, campaignInput(theirs));
      saver.set(campaignInput(theirs));
    },
  };
}

// A template that was deleted is shown as none: own words take its place.
function withTemplate(
  changes: Partial<CampaignInput>,
  { templateId }: CampaignInput,
): Partial<CampaignInput> {
  return 'html' in changes || 'text' in changes ? { ...changes, templateId } : changes;
}
