// Liquid, fenced in: no files, no other templates, own properties only, bounded work and memory. The library's limits
// are checked between tags only and had holes, so this runs in a worker that can be killed (render-worker.ts).
//
// HTML: what a `{{ … }}` puts out is escaped unless the author wrote `| raw`. Subject and text: put out as they are; the
// subject is made one line, so that no variable can add a header.

import { filters, Liquid, type FilterImplOptions, type Template as Parsed } from 'liquidjs';

import { monotonicMs } from '../base/clock.ts';
import type { FieldProblem } from '../base/errors.ts';
import { toOneLine } from '../mail/unsafe-text.ts';
import { checkTemplate } from './check-template.ts';
import { registerFilters } from './filters.ts';
import { markLiterals } from './parsed-values.ts';
import { printValue } from './print-value.ts';
import { TextContext } from './text-context.ts';
import {
  MAX_OUTPUT_CHARS,
  MAX_PART_CHARS,
  MAX_SUBJECT_CHARS,
  MAX_TAGS,
  PARTS,
  type Rendered,
  type TemplateContent,
} from './template.ts';

type FilterHandler = Extract<FilterImplOptions, (...args: never) => unknown>;

/** A parsed template. */
type Compiled = Record<(typeof PARTS)[number], Parsed[] | null>;

/** Parsed, or what is wrong where. */
export type CompileResult = { ok: true; compiled: Compiled } | { ok: false; problems: FieldProblem[] };

/** Rendered, or why not; `tooSlow` when it ran into the time limit. */
type EngineResult = ({ ok: true } & Rendered) | { ok: false; reason: string; tooSlow: boolean };

/** Parses and renders, on the thread that calls it. */
export interface Engine {
  /** What an author is told when a template is saved: everything that `compile` finds, and wrong arguments. */
  check(content: Omit<TemplateContent, 'variables'>): FieldProblem[];
  compile(content: Omit<TemplateContent, 'variables'>): CompileResult;
  render(compiled: Compiled, variables: Record<string, unknown>): EngineResult;
}

/** Milliseconds for the three parts together; ordinary mail takes less than one. */
export const RENDER_LIMIT_MS = 200;

const MEMORY_LIMIT = 10_000_000; // characters and list items that filters may make in one part
const MAX_SENTENCE_CHARS = 300; // they may quote the template
const TIME_MESSAGE = 'template render limit exceeded';
const MEMORY_MESSAGE = 'memory alloc limit exceeded';
const OTHER_TEMPLATES = ['include', 'render', 'layout', 'block'];
const escape = filters['escape'] as FilterHandler;
// Authors write `| escape` out of habit. As the last filter it has escaped already; anywhere else the output is escaped
// as usual, so nothing gets through.
const ESCAPED = new Set(['raw', 'escape', 'escape_once', 'xml_escape']);

/** Makes an engine, whose renders end after `limitMs`. */
export function createEngine(limitMs = RENDER_LIMIT_MS): Engine {
  const html = createLiquid('html');
  const plain = createLiquid('plain');
  const liquidOf = (part: (typeof PARTS)[number]) => (part === 'html' ? html : plain);
  const compile: Engine['compile'] = (content) => {
    const compiled: Compiled = { subject: null, html: null, text: null };
    const problems: FieldProblem[] = [];
    if (countTags(content) > MAX_TAGS)
      return {
        ok: false,
        problems: [{ path: 'html', message: `has more than ${MAX_TAGS} tags and outputs` }],
      };
    for (const part of PARTS) {
      const source = content[part];
      if (source === null) continue;
      try {
        compiled[part] = liquidOf(part).parse(source);
        markLiterals(compiled[part]);
      } catch (error) {
        problems.push({ path: part, message: sentenceOf(error) });
      }
    }
    return problems.length > 0 ? { ok: false, problems } : { ok: true, compiled };
  };
  return {
    compile,
    check(content) {
      const result = compile(content);
      if (!result.ok) return result.problems;
      return PARTS.flatMap((part) =>
        checkTemplate(content[part] ?? '', result.compiled[part] ?? []).map((message) => ({
          path: part,
          message: message.slice(0, MAX_SENTENCE_CHARS).toWellFormed(),
        })),
      );
    },
    render(compiled, variables) {
      const endsAt = monotonicMs() + limitMs;
      const out: Rendered = { subject: '', html: '', text: '' };
      for (const part of PARTS) {
        const parsed = compiled[part];
        if (parsed === null) continue;
        try {
          const renderLimit = Math.max(endsAt - monotonicMs(), 0);
          const liquid = liquidOf(part);
          const context = new TextContext(variables, liquid.options, { renderLimit, sync: true }, { liquid });
          out[part] = liquid.renderSync(parsed, context) as string;
        } catch (error) {
          const tooSlow = error instanceof Error && error.message.startsWith(TIME_MESSAGE);
          return { ok: false, reason: `${part}: ${sentenceOf(error)}`, tooSlow };
        }
        if (out[part].length > MAX_OUTPUT_CHARS)
          return { ok: false, reason: `${part}: is larger than 2 MiB once rendered`, tooSlow: false };
      }
      const subject = toOneLine(out.subject).slice(0, MAX_SUBJECT_CHARS).toWellFormed();
      return { ok: true, subject, html: out.html.toWellFormed(), text: out.text.toWellFormed() };
    },
  };
}

function createLiquid(kind: 'html' | 'plain'): Liquid {
  const liquid = new Liquid({
    outputEscape: kind === 'html' ? escapeOutput : printOutput,
    templates: {}, // never the file system
    ownPropertyOnly: true,
    strictFilters: true, // a misspelt filter is found when the template is saved
    parseLimit: MAX_PART_CHARS,
    memoryLimit: MEMORY_LIMIT,
    timezoneOffset: 0,
    locale: 'en-US',
  });
  registerFilters(liquid, kind === 'html' ? ESCAPED : new Set(['raw']));
  for (const tag of OTHER_TEMPLATES) delete liquid.tags[tag];
  return liquid;
}

const printOutput: FilterHandler = function (value) {
  return printValue(value, this.context.memoryLimit);
};
const escapeOutput: FilterHandler = function (value) {
  return escape.call(this, printOutput.call(this, value));
};

function countTags(content: Omit<TemplateContent, 'variables'>): number {
  let tags = 0;
  for (const part of PARTS) {
    for (const opening of ['{{', '{%']) tags += (content[part] ?? '').split(opening).length - 1;
  }
  return tags;
}

// Errors of the library end in `, line:3, col:5`; everything of them may quote the template, so it is cut.
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be rendered';
  const [, text = '', line, column] = /^(.*?)(?:, line:(\d+), col:(\d+))?$/s.exec(error.message) ?? [];
  const where = line === undefined ? '' : `line ${line}, column ${column}: `;
  return `${where}${plainWords(text)}`.slice(0, MAX_SENTENCE_CHARS).toWellFormed();
}

function plainWords(text: string): string {
  if (text.startsWith(TIME_MESSAGE)) return `takes longer than ${RENDER_LIMIT_MS} ms to render`;
  if (text.startsWith(MEMORY_MESSAGE)) return 'needs more memory than a template may use';
  if (text.includes('Maximum call stack')) return 'is nested too deeply';
  if (text.includes('Invalid string length')) return 'is too large once rendered';
  const tag = /^tag "(\w+)" not found$/.exec(text)?.[1];
  if (tag && OTHER_TEMPLATES.includes(tag))
    return `{% ${tag} %} is not available: a template cannot include other templates`;
  return toOneLine(text);
}
