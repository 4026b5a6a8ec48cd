// A template while it is edited: the draft, what it began from, saving it, and what to do when somebody else saved
// meanwhile.

import { useRef, useState } from 'react';
import { useClient } from 'urql';
import { useLocation } from 'wouter';

import {
  CreateTemplateDocument,
  TemplateDocument,
  UpdateTemplateDocument,
  type TemplateDetailFragment,
} from '../../gen/pages/templates/template.ts';
import { useMutationForm } from '../../graphql/use-mutation-form.ts';
import { useToast } from '../../ui/toast.tsx';
import { contentOf, draftOf, parseTestData, type TemplateDraft } from './template-draft.ts';

const FIELDS = ['name', 'subject', 'html', 'text', 'variables', 'testData'];
const NO_OBJECT = 'must be a JSON object, such as {"first_name": "Ann"}';

/** What `useTemplateForm` gives. */
export interface TemplateForm {
  draft: TemplateDraft;
  change: (change: (draft: TemplateDraft) => TemplateDraft) => void;
  /** What the draft began from; null for a new template. */
  base: TemplateDetailFragment | null;
  /** Begins again from what is stored. */
  begin: (template: TemplateDetailFragment) => void;
  isUnsaved: () => boolean;
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

/** The form of one template; null makes a new one. */
export function useTemplateForm(template: TemplateDetailFragment | null): TemplateForm {
  const client = useClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const [base, setBase] = useState(template);
  const [draft, setDraft] = useState<TemplateDraft>(() => draftOf(template));
  const saved = useRef(''); // asked at the moment of leaving, which may come before the next render
  if (saved.current === '') saved.current = stateOf(draft);
  const [conflict, setConflict] = useState<TemplateDetailFragment | null>(null);
  const [badTestData, setBadTestData] = useState(false);
  const creating = useMutationForm(CreateTemplateDocument, FIELDS);
  const updating = useMutationForm(UpdateTemplateDocument, FIELDS);
  const form = base === null ? creating : updating;

  const isSaved = (stored: TemplateDetailFragment, from: TemplateDraft) => {
    setBase(stored);
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
  const update = async (from: TemplateDetailFragment, testData: Record<string, unknown>) => {
    const { id, version: expectedVersion } = from;
    const input = { id, expectedVersion, name: draft.name.trim(), ...contentOf(draft), testData };
    const done = await updating.run({ input });
    if (done !== null) return isSaved(done.updateTemplate.template, draft);
    const now = await client.query(TemplateDocument, { id }, { requestPolicy: 'network-only' }).toPromise();
    const stored = now.data?.template;
    if (!stored || stored.version === expectedVersion) return;
    updating.reset();
    setConflict(stored);
  };
  return {
    draft,
    change: setDraft,
    base,
    begin(stored) {
      const fresh = draftOf(stored);
      setBase(stored);
      setDraft(fresh);
      saved.current = stateOf(fresh);
      setConflict(null);
      setBadTestData(false);
      form.reset();
    },
    isUnsaved: () => stateOf(draft) !== saved.current,
    forget: () => {
      saved.current = stateOf(draft);
    },
    running: form.running,
    error: form.error,
    fieldError: (name) =>
      name === 'testData' && badTestData && parseTestData(draft.testData) === null
        ? NO_OBJECT
        : form.fieldError(name),
    async save(over) {
      const testData = parseTestData(draft.testData);
      setBadTestData(testData === null);
      if (testData === null) return;
      const from = over ?? base;
      await (from === null ? create(testData) : update(from, testData));
    },
    conflict,
    closeConflict: () => setConflict(null),
  };
}

// What is compared: the keys of the rows of variables are the page's own.
function stateOf(draft: TemplateDraft): string {
  return JSON.stringify([draft.name, contentOf(draft), draft.testData]);
}
