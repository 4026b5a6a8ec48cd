// Templates: Liquid with typed variables, in versions, and what a message from one would say.

import { z } from 'zod';

import { invalidField, invalidFields } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { checkVariables } from '../../../core/message/variables-input.ts';
import { newTemplate, templateChange, templateRestore } from '../../../core/template/template-input.ts';
import type {
  Rendered,
  Template,
  TemplateContent,
  TemplateVariable,
  VersionEntry,
} from '../../../core/template/template.ts';
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  getVersion,
  listTemplates,
  listVersions,
  restoreVersion,
} from '../../../core/template/templates.ts';
import { variableProblems, withDefaults } from '../../../core/template/variables.ts';
import { VERSION_KEY } from '../../cursor.ts';
import { EVERY_ROLE, type Builder } from '../builder.ts';
import { asCaller, signedIn, type GraphqlContext } from '../context.ts';
import { connectionCost, resolveForward, resolveOlder } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { DeletePayload } from './deleted.ts';

const CONTENT_COST = 10; // a version may be a megabyte
const PREVIEW_COST = 50; // a render may take a quarter of a second of a core

/** Adds Template, its queries and its mutations. */
export function addTemplateTypes(builder: Builder, deleted: DeletePayload) {
  const template = addTemplate(builder);
  builder.queryField('templates', (t) =>
    t.connection({
      type: template,
      description: 'Newest first',
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveOlder(args, (page) => listTemplates(context.deps, signedIn(context).tenantId, page)),
    }),
  );
  builder.queryField('template', (t) =>
    t.field({
      type: template,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => readTemplate(context, id),
    }),
  );
  addChanges(builder, template, deleted);
  return { template };
}

function addVariable(builder: Builder) {
  return builder.objectRef<TemplateVariable>('TemplateVariable').implement({
    description: 'A variable of a template',
    fields: (t) => ({
      name: t.exposeString('name'),
      required: t.exposeBoolean('required'),
      default: t.field({ type: 'JSON', nullable: true, resolve: (variable) => variable.default }),
    }),
  });
}

function addTemplate(builder: Builder) {
  const variable = addVariable(builder);
  const { entry, content } = addVersionTypes(builder, variable);
  const template = builder.objectRef<Template>('Template');
  builder.node(template, {
    id: { resolve: ({ id }) => toId('tpl', id) },
    isTypeOf: (value) =>
      typeof value === 'object' && value !== null && 'version' in value && 'variables' in value,
    loadOne: (id, context) => readTemplate(context, id),
    fields: (t) => ({
      name: t.exposeString('name'),
      subject: t.exposeString('subject'),
      html: t.exposeString('html', { nullable: true }),
      text: t.exposeString('text', { nullable: true }),
      variables: t.expose('variables', { type: [variable] }),
      testData: t.expose('testData', {
        type: 'JSON',
        description: 'An object of values that previews use; mail never does',
      }),
      version: t.exposeInt('version'),
      versions: t.connection({
        type: entry,
        description: 'Newest first',
        complexity: (args) => connectionCost(args),
        resolve: ({ id, tenantId }, args, { deps }) =>
          resolveForward(
            args,
            [VERSION_KEY],
            ({ version }: VersionEntry) => [String(version)],
            ({ after, limit }) =>
              listVersions(deps, tenantId, id, { before: after === null ? null : Number(after[0]), limit }),
          ),
      }),
      contentAt: t.field({
        type: content,
        description: 'What the template says at a version',
        args: { version: t.arg.int({ required: true }) },
        complexity: CONTENT_COST,
        resolve: ({ id, tenantId }, { version }, { deps }) => getVersion(deps, tenantId, id, version),
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  });
  return template;
}

function addVersionTypes(builder: Builder, variable: ReturnType<typeof addVariable>) {
  const entry = builder.objectRef<VersionEntry>('TemplateVersion').implement({
    description: 'One version in the history of a template',
    fields: (t) => ({
      version: t.exposeInt('version'),
      subject: t.exposeString('subject'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      createdBy: t.exposeString('createdBy', {
        nullable: true,
        description: 'An email address, or the id of an API key; null for versions from before this was kept',
      }),
      restoredFrom: t.exposeInt('restoredFrom', {
        nullable: true,
        description: 'The version whose content this is again',
      }),
    }),
  });
  const content = builder.objectRef<TemplateContent>('TemplateContent').implement({
    description: 'What a template says at one version',
    fields: (t) => ({
      subject: t.exposeString('subject'),
      html: t.exposeString('html', { nullable: true }),
      text: t.exposeString('text', { nullable: true }),
      variables: t.expose('variables', { type: [variable] }),
    }),
  });
  return { entry, content };
}

function addChanges(
  builder: Builder,
  template: ReturnType<typeof addTemplate>,
  deleted: DeletePayload,
): void {
  const payload = builder.objectRef<{ template: Template }>('TemplatePayload').implement({
    fields: (t) => ({ template: t.expose('template', { type: template }) }),
  });
  const variable = builder.inputType('TemplateVariableInput', {
    fields: (t) => ({
      name: t.string({ required: true }),
      required: t.boolean(),
      default: t.field({ type: 'JSON' }),
    }),
  });
  const createInput = builder.inputType('CreateTemplateInput', {
    fields: (t) => ({
      name: t.string({ required: true }),
      subject: t.string({ required: true }),
      html: t.string(),
      text: t.string(),
      variables: t.field({ type: [variable] }),
      testData: t.field({ type: 'JSON' }),
    }),
  });
  const updateInput = builder.inputType('UpdateTemplateInput', {
    description: 'Fields left out do not change; html and text can be set to null',
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      subject: t.string(),
      html: t.string(),
      text: t.string(),
      variables: t.field({ type: [variable] }),
      testData: t.field({ type: 'JSON' }),
      expectedVersion: t.int({
        description: 'Refuse the change as a conflict when the template is at another version',
      }),
    }),
  });
  builder.mutationField('createTemplate', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const checked = checkInput(newTemplate, tidy(input));
        return { template: await createTemplate(context.deps, ...asCaller(context), checked) };
      },
    }),
  );
  builder.mutationField('updateTemplate', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: updateInput, required: true }) },
      resolve: async (_root, { input: { id, ...fields } }, context) => {
        const checked = checkInput(templateChange, tidy(fields), ['html', 'text']);
        return { template: await changeTemplate(context.deps, ...asCaller(context), idOf(id), checked) };
      },
    }),
  );
  const restoreInput = builder.inputType('RestoreTemplateVersionInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      version: t.int({ required: true }),
      expectedVersion: t.int({ description: 'As in UpdateTemplateInput' }),
    }),
  });
  builder.mutationField('restoreTemplateVersion', (t) =>
    t.field({
      type: payload,
      description: 'Makes a new version that says what an older one said',
      args: { input: t.arg({ type: restoreInput, required: true }) },
      resolve: async (_root, { input: { id, version, ...fields } }, context) => {
        const { expected_version: expected } = checkInput(templateRestore, fields);
        return {
          template: await restoreVersion(context.deps, ...asCaller(context), idOf(id), version, expected),
        };
      },
    }),
  );
  const deleteInput = builder.inputType('DeleteTemplateInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('deleteTemplate', (t) =>
    t.field({
      type: deleted,
      args: { input: t.arg({ type: deleteInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await deleteTemplate(context.deps, ...asCaller(context), idOf(input.id));
        return { id: input.id };
      },
    }),
  );
  const previewInput = builder.inputType('PreviewTemplateInput', {
    description: 'A stored template by its id, or content that is not saved yet',
    fields: (t) => ({
      id: t.id(),
      subject: t.string(),
      html: t.string(),
      text: t.string(),
      variables: t.field({ type: [variable] }),
      values: t.field({ type: 'JSON', description: 'An object with a value for each variable' }),
    }),
  });
  const preview = builder.objectRef<Rendered>('TemplatePreview').implement({
    description: 'The rendered message',
    fields: (t) => ({
      subject: t.exposeString('subject'),
      html: t.exposeString('html'),
      text: t.exposeString('text'),
    }),
  });
  builder.mutationField('previewTemplate', (t) =>
    t.field({
      type: preview,
      description: 'Renders a template; errors and limits are the same as when sending',
      ...EVERY_ROLE,
      args: { input: t.arg({ type: previewInput, required: true }) },
      complexity: PREVIEW_COST,
      resolve: async (_root, { input: { id, values, ...content } }, context) =>
        render(context, id ? await readTemplate(context, id) : readContent(content), readValues(values)),
    }),
  );
}

const VALUES = z.record(z.string(), z.unknown());

function readValues(values: unknown): Record<string, unknown> {
  const given = checkInput(z.object({ values: VALUES.default({}) }), { values }).values;
  const bad = checkVariables(given);
  if (bad !== null) throw invalidField('values', bad);
  return given;
}

// A name is needed to be stored, not to be looked at.
function readContent(fields: Record<string, unknown>): TemplateContent {
  return checkInput(newTemplate, { name: 'preview', ...tidy(fields) });
}

async function render(
  context: GraphqlContext,
  content: TemplateContent,
  values: Record<string, unknown>,
): Promise<Rendered> {
  const missing = variableProblems(content.variables, values);
  if (missing.length > 0) {
    const details = missing.map(({ path, message }) => ({
      path: path.replace('variables.', 'values.'),
      message,
    }));
    throw invalidFields(details);
  }
  const { tenantId } = signedIn(context);
  const problems = await context.deps.renderer.checkSyntax(content, tenantId);
  if (problems.length > 0) {
    throw invalidFields(problems);
  }
  const variables = withDefaults(content.variables, values);
  const rendered = await context.deps.renderer.preview(content, variables, tenantId);
  if (!rendered.ok) throw invalidField('template', rendered.reason);
  return rendered;
}

// Variables come as objects of their own, with null for what was left out.
function tidy(fields: Record<string, unknown>): Record<string, unknown> {
  const variables = fields['variables'] as
    | { name: string; required?: boolean | null; default?: unknown }[]
    | null
    | undefined;
  return {
    ...fields,
    variables: variables?.map(({ name, required, default: value }) => ({
      name,
      required: required ?? false,
      default: value ?? null,
    })),
  };
}

async function readTemplate(context: GraphqlContext, id: string): Promise<Template> {
  return getTemplate(context.deps, signedIn(context).tenantId, idOf(id));
}

function idOf(id: string): string {
  return requireId('tpl', id, 'template');
}

/** What other type files refer to. */
export type TemplateTypes = ReturnType<typeof addTemplateTypes>;
