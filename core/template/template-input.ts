// Templates as callers write them, before they are looked at as Liquid.

import { z } from 'zod';

import {
  MAX_PART_CHARS,
  MAX_SUBJECT_SOURCE_CHARS,
  MAX_TEST_DATA_CHARS,
  MAX_VARIABLES,
  type TemplateContent,
} from './template.ts';
import { findUnstorable, NOT_STORABLE } from '../base/storable-text.ts';
import { filledLine, storable } from '../base/text-input.ts';
import { checkVariables } from '../message/variables-input.ts';

const MAX_NAME_CHARS = 100;
const MAX_DEFAULT_CHARS = 10_000;
// What every object has; as a variable's name it would be there without being given.
const RESERVED = new Set(Object.getOwnPropertyNames(Object.prototype));

const part = storable(MAX_PART_CHARS).nullable();

const variable = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must be a name of letters, digits and underscores')
    .refine((name) => !RESERVED.has(name), 'is a reserved name'),
  required: z.boolean().default(false),
  default: z.union([storable(MAX_DEFAULT_CHARS), z.number(), z.boolean(), z.null()]).default(null),
});

const testData = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    const problem = testDataProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    description: `values that previews in the dashboard use, at most ${MAX_TEST_DATA_CHARS / 1024} KiB as JSON; mail never does`,
  });

const fields = {
  name: filledLine(MAX_NAME_CHARS),
  subject: storable(MAX_SUBJECT_SOURCE_CHARS, 1),
  html: part,
  text: part,
  variables: z
    .array(variable)
    .max(MAX_VARIABLES)
    .refine((list) => new Set(list.map((one) => one.name)).size === list.length, 'must have different names')
    .meta({ uniqueItems: true }),
};

/** The body of a create. */
export const newTemplate = z
  .strictObject({
    ...fields,
    html: fields.html.default(null),
    text: fields.text.default(null),
    variables: fields.variables.default([]),
    test_data: testData.optional(),
  })
  .refine(hasBody, { path: ['html'], message: 'is required: give html and/or text' })
  .meta({ anyOf: [partGiven('html'), partGiven('text')] });

/** The body of a change: only what is named changes. */
export const templateChange = z
  .strictObject({
    ...fields,
    test_data: testData,
    expected_version: z.int().min(1).max(2_147_483_647).meta({
      description:
        'refuse the change with 409 when the template is at another version: somebody else saved meanwhile',
    }),
  })
  .partial();

/** The body of a restore. */
export const templateRestore = z.strictObject({ expected_version: templateChange.shape.expected_version });

const draftVariable = z.strictObject({
  name: storable(MAX_NAME_CHARS),
  required: z.boolean(),
  kind: z.enum(['text', 'number', 'boolean']),
  preset: storable(MAX_DEFAULT_CHARS),
});

/** A save of a draft. What is half written is no mistake yet: only the sizes are those of a template. */
export const draftSave = z.strictObject({
  base_version: templateChange.shape.expected_version,
  revision: z.uuid().optional(),
  content: z.strictObject({
    name: storable(MAX_NAME_CHARS),
    subject: storable(MAX_SUBJECT_SOURCE_CHARS),
    html: storable(MAX_PART_CHARS),
    text: storable(MAX_PART_CHARS),
    variables: z.array(draftVariable).max(MAX_VARIABLES),
    testData: storable(2 * MAX_TEST_DATA_CHARS), // with its line breaks and indents
  }),
});

/** A checked save of a draft. */
export type DraftSave = z.output<typeof draftSave>;

/** A checked create. */
export type NewTemplate = z.output<typeof newTemplate>;

/** A checked change. */
export type TemplateChange = z.output<typeof templateChange>;

/** Whether there is anything to send; an empty text counts as none. */
export function hasBody(content: Pick<TemplateContent, 'html' | 'text'>): boolean {
  return Boolean(content.html) || Boolean(content.text);
}

function testDataProblem(value: Record<string, unknown>): string | null {
  const problem = checkVariables(value);
  if (problem !== null) return problem;
  if (findUnstorable(value) !== null) return NOT_STORABLE;
  if (JSON.stringify(value).length <= MAX_TEST_DATA_CHARS) return null;
  return `must not be larger than ${MAX_TEST_DATA_CHARS / 1024} KiB`;
}

// hasBody in the words of JSON Schema: this part has something to send.
function partGiven(name: 'html' | 'text') {
  return { required: [name], properties: { [name]: { type: 'string' as const, minLength: 1 } } };
}
