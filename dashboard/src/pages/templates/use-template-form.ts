// A template while it is edited: the draft, which is kept as it is written, what it began from, saving it as a version, and
// what to do when somebody else saved meanwhile.

import { useRef, useState } from 'react';
import { useClient } from 'urql';
import { useLocation } from 'wouter';

import {
  CreateTemplateDocument,
  TemplateDocument,
  UpdateTemplateDocument,
  type StoredDraftFragment,
  type TemplateDetailFragment,
} from '../../gen/pages/templates/template.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { SaverView } from '../drafts/draft-saver.ts';
import {
  contentOf,
  draftOf,
  draftOfStored,
  parseTestData,
  type StoredContent,
  type TemplateDraft,
} from './template-draft.ts';
import { useTemplateAutosave } from './use-template-autosave.ts';

const FIELDS = ['name', 'subject', 'html', 'text', 'variables', 'testData'];
const NO_OBJECT = 'must be a JSON object, such as {"first_name": "Ann"}';

/** What `useTemplateForm` gives. */
export interface TemplateForm {
  draft: TemplateDraft;
  change: (change: (draft: TemplateDraft) => TemplateDraft) => void;
  /** The template as it was read; null for a new one. */
  base: TemplateDetailFragment | null;
  /** The version that the draft began from; null for a new template. */
  baseVersion: number | null;
  /** Begins again from what is stored, where no draft is left. */
  begin: (template: TemplateDetailFragment | null) => void;
  isUnsaved: () => boolean;
  /** Whether the draft is stored as it is now. */
  isKept: () => boolean;
  /** Where saving the draft stands. */
  saver: SaverView;
  /** When the draft that the editor opened with was saved, until it is a version or discarded. */
  draftFrom: string | null;
  /** Deletes the draft and begins again from `template`. Resolves to what went wrong, or null. */
  discard: (template: TemplateDetailFragment | null) => Promise<string | null>;
  /** After another tab saved the draft: shows that one, or puts what is here in its place. */
  resolveDraft: (keep: 'stored' | 'mine') => Promise<void>;
  /** Nothing of the draft is to be saved any more. */
  forget: () => void;
  running: boolean;
  error: string | null;
  fieldError: (name: string) => string | undefined;
  /** Saves; `over` is the version of somebody else that is to be replaced. */
  save: (over?: TemplateDetailFragment) => Promise<void>;
  /** What somebody else saved meanwhile, or null. */
  conflict: TemplateDetailFragment | null;
  closeConflict: () => void;
}

/** The form of one template; null makes a new one. `written` is the draft of it that is stored. */
export function useTemplateForm(
  template: TemplateDetailFragment | null,
  written: StoredDraftFragment | null,
): TemplateForm {
  const { canWrite } = useViewer();
  const client = useClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const [base, setBase] = useState(template);
  const [draft, setDraft] = useState<TemplateDraft>(() =>
    written ? editedDraft(written) : draftOf(template),
  );
  const [baseVersion, setBaseVersion] = useState(written?.baseVersion ?? template?.version ?? null);
  const [draftFrom, setDraftFrom] = useState(written?.savedAt ?? null);
  const [busy, setBusy] = useState(false);
  const saved = useRef(''); // asked at the moment of leaving, which may come before the next render
  if (saved.current === '') saved.current = stateOf(draftOf(template));
  const [conflict, setConflict] = useState<TemplateDetailFragment | null>(null);
  const [badTestData, setBadTestData] = useState(false);
  const creating = useMutationForm(CreateTemplateDocument, FIELDS);
  const updating = useMutationForm(UpdateTemplateDocument, FIELDS);
  const form = base === null ? creating : updating;
  const held = { draft, templateId: base?.id ?? null, baseVersion, paused: busy || !canWrite };
  const autosave = useTemplateAutosave(held, written);

  const isSaved = (stored: TemplateDetailFragment, from: TemplateDraft) => {
    setBase(stored);
    setBaseVersion(stored.version);
    setDraftFrom(null);
    autosave.reset(from);
    saved.current = stateOf(from);
    setConflict(null);
    toast('Template saved');
  };
  const create = async (testData: Record<string, unknown>) => {
    const done = await creating.run({ input: { name: draft.name.trim(), ...contentOf(draft), testData } });
    if (done === null) return;
    isSaved(done.createTemplate.template, draft);
    navigate(`/templates/${done.createTemplate.template.id}`, { replace: true });
  };
  const update = async (id: string, expectedVersion: number, testData: Record<string, unknown>) => {
    const input = { id, expectedVersion, name: draft.name.trim(), ...contentOf(draft), testData };
    const done = await updating.run({ input });
    if (done !== null) return isSaved(done.updateTemplate.template, draft);
    const now = await client.query(TemplateDocument, { id }, { requestPolicy: 'network-only' }).toPromise();
    const stored = now.data?.template;
    if (!stored || stored.version === expectedVersion) return;
    updating.reset();
    setConflict(stored);
  };
  const begin = (stored: TemplateDetailFragment | null) => {
    const fresh = draftOf(stored);
    setBase(stored);
    setBaseVersion(stored?.version ?? null);
    setDraft(fresh);
    setDraftFrom(null);
    autosave.reset(fresh);
    saved.current = stateOf(fresh);
    setConflict(null);
    setBadTestData(false);
    form.reset();
  };
  const showStoredDraft = async () => {
    const stored = await autosave.readStored();
    if (stored) {
      const theirs = editedDraft(stored);
      setDraft(theirs);
      setBaseVersion(stored.baseVersion);
      setDraftFrom(stored.savedAt);
      autosave.follow(stored, theirs);
    } else if (stored === null) {
      const now = await client
        .query(TemplateDocument, { id: base?.id ?? '' }, { requestPolicy: 'network-only' })
        .toPromise();
      if (base === null || now.data?.template) begin(now.data?.template ?? null);
    }
  };
  // Nothing of the draft may be stored after the version that ends it.
  const alone = async (work: () => Promise<void>) => {
    setBusy(true);
    await autosave.settle();
    await work();
    setBusy(false);
  };
  return {
    draft,
    change: setDraft,
    base,
    baseVersion,
    begin,
    isUnsaved: () => stateOf(draft) !== saved.current,
    isKept: autosave.isKept,
    saver: autosave,
    draftFrom,
    async discard(stored) {
      const problem = await autosave.discard();
      if (problem === null) begin(stored);
      return problem;
    },
    resolveDraft: (keep) => (keep === 'mine' ? autosave.keepMine() : showStoredDraft()),
    forget: () => {
      autosave.reset(draft);
      saved.current = stateOf(draft);
    },
    running: busy,
    error: form.error,
    fieldError: (name) =>
      name === 'testData' && badTestData && parseTestData(draft.testData) === null
        ? NO_OBJECT
        : form.fieldError(name),
    async save(over) {
      const testData = parseTestData(draft.testData);
      setBadTestData(testData === null);
      if (testData === null) return;
      const expected = over?.version ?? baseVersion ?? base?.version ?? 0;
      await alone(() => (base === null ? create(testData) : update(base.id, expected, testData)));
    },
    conflict,
    closeConflict: () => setConflict(null),
  };
}

function editedDraft({ content }: StoredDraftFragment): TemplateDraft {
  return draftOfStored(content as StoredContent);
}

// What is compared: the keys of the rows of variables are the page's own.
function stateOf(draft: TemplateDraft): string {
  return JSON.stringify([draft.name, contentOf(draft), draft.testData]);
}
