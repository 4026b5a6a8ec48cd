// The draft of a template, saved while it is written (../drafts/draft-saver.ts). It is the person's own, and no version.

import { useEffect, useRef } from 'react';
import { useClient } from 'urql';

import {
  DiscardTemplateDraftDocument,
  SaveTemplateDraftDocument,
  TemplateDraftDocument,
  type StoredDraftFragment,
} from '../../gen/pages/templates/template.ts';
import { errorText } from '../../graphql/error-text.ts';
import { DraftSaver, type SaverView } from '../drafts/draft-saver.ts';
import { useDraftSaver } from '../drafts/use-draft-saver.ts';
import { storedContent, type StoredContent, type TemplateDraft } from './template-draft.ts';

/** What the editor holds. */
interface Held {
  draft: TemplateDraft;
  /** Null for a new template. */
  templateId: string | null;
  /** The version that the draft began from. */
  baseVersion: number | null;
  /** Nothing is to be saved now. */
  paused: boolean;
}

/** What `useTemplateAutosave` gives. */
export interface TemplateAutosave extends SaverView {
  /** Whether the draft is stored as it is now. */
  isKept: () => boolean;
  /** Waits for the save that is under way. */
  settle: () => Promise<void>;
  /** There is no stored draft any more, and `draft` needs none. */
  reset: (draft: TemplateDraft) => void;
  /** Deletes the stored draft. Resolves to what went wrong, or null. */
  discard: () => Promise<string | null>;
  /** After a conflict: puts the draft of the editor in place of the stored one. */
  keepMine: () => Promise<void>;
  /** After a conflict: reads the stored draft, null if it was saved or discarded elsewhere; undefined if that fails. */
  readStored: () => Promise<StoredDraftFragment | null | undefined>;
  /** The editor shows `draft`, which is stored as `stored`. */
  follow: (stored: StoredDraftFragment, draft: TemplateDraft) => void;
}

/** Keeps the draft of a template saved. `written` is the draft with which the editor opened. */
export function useTemplateAutosave(held: Held, written: StoredDraftFragment | null): TemplateAutosave {
  const client = useClient();
  const latest = useRef(held);
  latest.current = held;
  const { draft, paused } = held;
  const save = async ({ content }: Saved, revision?: string) => {
    const { templateId, baseVersion } = latest.current;
    const input = { templateId, baseVersion, revision, content };
    const { data, error } = await client.mutation(SaveTemplateDraftDocument, { input }).toPromise();
    return { saved: data && storedAs(data.saveTemplateDraft), error };
  };
  const [saver, view] = useDraftSaver<Saved, string>(
    (onChange) =>
      new DraftSaver(
        {
          onChange,
          create: (input) => save(input),
          update: ({ version }, { content }) => save({ content: content! }, version),
        },
        written && storedAs(written),
        savedOf(draft),
        savedOf(draft),
      ),
    (all) => !paused && !all.isSaved(),
  );
  useEffect(() => {
    if (!paused) saver.set(savedOf(draft));
  }, [saver, draft, paused]);

  const readStored = async () => {
    const { templateId } = latest.current;
    const result = await client
      .query(TemplateDraftDocument, { templateId }, { requestPolicy: 'network-only' })
      .toPromise();
    return result.data?.templateDraft;
  };
  return {
    ...view,
    readStored,
    isKept: () => saver.isSaved(),
    settle: () => saver.pause(),
    reset: (next) => saver.rebase(null, savedOf(next)),
    follow: (stored, next) => saver.rebase(storedAs(stored), savedOf(next)),
    async discard() {
      await saver.pause();
      const { templateId } = latest.current;
      const { error } = await client
        .mutation(DiscardTemplateDraftDocument, { input: { templateId } })
        .toPromise();
      return error ? errorText(error) : null;
    },
    async keepMine() {
      const stored = await readStored();
      if (stored === undefined) return;
      saver.rebase(stored && storedAs(stored), {});
      await saver.flush();
    },
  };
}

/** One field: a draft is saved as a whole. */
interface Saved {
  content: StoredContent;
}

function savedOf(draft: TemplateDraft): Saved {
  return { content: storedContent(draft) };
}

function storedAs({ revision }: { revision: string }) {
  return { id: 'draft', version: revision };
}
