// The variables that a template prints and has no other word for. Pure, and no parser: what is printed in a roundabout way
// is not found, and nothing here decides what is sent.

import type { TemplateContent } from '../template/template.ts';

const OUTPUT = /\{\{([^{}]*)\}\}/g;
const NAME = /^-?\s*([A-Za-z_][\w-]*)([^]*)$/; // and what follows it in an output
const MADE_HERE = /\{%-?\s*(?:for|tablerow|assign|capture|increment|decrement)\s+([A-Za-z_][\w-]*)/g;
const MAX_NAMES = 50;

/** What a template needs of each recipient. */
export interface UsedVariables {
  /** Declared as required, without a default: a recipient who lacks one gets no message. */
  required: string[];
  /** Printed without a default: a recipient who lacks one reads a gap. */
  printed: string[];
}

/** Reads the names out of the parts. */
export function usedVariables({ subject, html, text, variables }: TemplateContent): UsedVariables {
  const source = [subject, html ?? '', text ?? ''].join('\n');
  const made = new Set([...source.matchAll(MADE_HERE)].map((match) => match[1]!));
  const declared = new Map(variables.map((one) => [one.name, one]));
  const printed = [...source.matchAll(OUTPUT)].flatMap(([, output]) => {
    const [, name, rest] = NAME.exec(output!) ?? [];
    if (name === undefined || /\|\s*default\b/.test(rest!)) return [];
    const hasValue = made.has(name) || name === 'forloop' || (declared.get(name)?.default ?? null) !== null;
    return hasValue ? [] : [name];
  });
  const required = variables.filter((one) => one.required && one.default === null).map(({ name }) => name);
  return {
    required: required.slice(0, MAX_NAMES),
    printed: [...new Set(printed)].filter((name) => !required.includes(name)).slice(0, MAX_NAMES),
  };
}
