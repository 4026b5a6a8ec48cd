// What the signed-in person wrote in the template editor and did not save as a version yet.

import { requireId, checkInput } from '../check-input.ts';
import type { Builder } from '../builder.ts';
import { signedIn, type GraphqlContext } from '../context.ts';
import { discardDraft, readDraft, saveDraft } from '../../../core/template/drafts.ts';
import type { DraftKey, TemplateDraft } from '../../../core/template/draft-store.ts';
import { draftSave } from '../../../core/template/template-input.ts';

const CONTENT_COST = 10; // a draft may be a megabyte

/** Adds `templateDraft`, `saveTemplateDraft` and `discardTemplateDraft`. */
export function addTemplateDraftTypes(builder: Builder): void {
  const draft = builder.objectRef<TemplateDraft>('TemplateDraft').implement({
    description: 'What a person wrote in the template editor and did not save as a version yet',
    fields: (t) => ({
      content: t.expose('content', {
        type: 'JSON',
        description: 'The fields of the editor, as saveTemplateDraft was given them',
      }),
      baseVersion: t.exposeInt('baseVersion', {
        nullable: true,
        description: 'The version of the template from which the draft began',
      }),
      revision: t.exposeString('revision', { description: 'Different after each save of the draft' }),
      savedAt: t.expose('savedAt', { type: 'DateTime' }),
    }),
  });
  builder.queryField('templateDraft', (t) =>
    t.field({
      type: draft,
      nullable: true,
      description: 'The draft of the signed-in person; without `templateId`, that of a new template',
      args: { templateId: t.arg.id() },
      complexity: CONTENT_COST,
      resolve: (_root, { templateId }, context) => readDraft(context.deps, keyOf(context, templateId)),
    }),
  );
  addChanges(builder);
}

function addChanges(builder: Builder): void {
  const saveInput = builder.inputType('SaveTemplateDraftInput', {
    fields: (t) => ({
      templateId: t.id({ description: 'Left out for a new template' }),
      baseVersion: t.int({ description: 'The version of the template from which the draft began' }),
      revision: t.string({
        description: 'The revision that this save replaces. A draft with another revision is a conflict',
      }),
      content: t.field({
        type: 'JSON',
        required: true,
        description: 'name, subject, html, text, variables (name, required, kind, preset) and testData',
      }),
    }),
  });
  const saved = builder.objectRef<TemplateDraft>('SaveTemplateDraftPayload').implement({
    fields: (t) => ({
      revision: t.exposeString('revision'),
      savedAt: t.expose('savedAt', { type: 'DateTime' }),
    }),
  });
  builder.mutationField('saveTemplateDraft', (t) =>
    t.field({
      type: saved,
      description: 'Saves the draft of the signed-in person. No mail uses it; it is kept for 30 days',
      args: { input: t.arg({ type: saveInput, required: true }) },
      resolve: (_root, { input: { templateId, ...fields } }, context) =>
        saveDraft(context.deps, keyOf(context, templateId), checkInput(draftSave, fields)),
    }),
  );
  const discardInput = builder.inputType('DiscardTemplateDraftInput', {
    fields: (t) => ({ templateId: t.id({ description: 'Left out for a new template' }) }),
  });
  const discarded = builder.objectRef<{ ok: boolean }>('DiscardTemplateDraftPayload').implement({
    fields: (t) => ({ ok: t.exposeBoolean('ok') }),
  });
  builder.mutationField('discardTemplateDraft', (t) =>
    t.field({
      type: discarded,
      description: 'Deletes the draft of the signed-in person, if there is one',
      args: { input: t.arg({ type: discardInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await discardDraft(context.deps, keyOf(context, input.templateId));
        return { ok: true };
      },
    }),
  );
}

function keyOf(context: GraphqlContext, templateId: string | null | undefined): DraftKey {
  const { tenantId, user } = signedIn(context);
  const id = templateId ? requireId('tpl', templateId, 'template') : null;
  return { tenantId, userId: user.id, templateId: id };
}
