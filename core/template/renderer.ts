// Renders templates by id and version. Versions never change, so they are kept; the rendering itself happens on
// workers (render-pool.ts), never on the event loop of whoever asks.

import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';

import type { FieldProblem } from '../base/errors.ts';
import { fromId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { Database } from '../db/pool.ts';
import { MAX_HTML_TO_TEXT_CHARS, textFromHtml } from '../mail/compose/text-from-html.ts';
import { createCostCache } from './cost-cache.ts';
import { createRenderPool, type RenderPool } from './render-pool.ts';
import { MAX_VARIABLES_JSON_CHARS, type RenderResult, type TemplateContent } from './template.ts';
import { selectVersion } from './template-store.ts';
import { variableProblems, withDefaults } from './variables.ts';

/** The renderer of one process. */
export interface TemplateRenderer {
  /**
   * Renders a stored version; `templateId` is a UUID or `tpl_…`. A refusal is the template's own: the same again
   * fails again. Throws when the database is unavailable.
   */
  render(
    tenantId: string,
    templateId: string,
    version: number,
    variables: Record<string, unknown>,
  ): Promise<RenderResult>;
  /** The subject of a stored version, whose subject and variables these are; null when it cannot be rendered. Throws `unavailable`. */
  renderSubject(
    tenantId: string,
    template: { id: string; version: number } & Pick<TemplateContent, 'subject' | 'variables'>,
    variables: Record<string, unknown>,
  ): Promise<string | null>;
  /** Renders content that is not stored (or not yet). `tenantId` shares the workers out fairly. */
  preview(
    content: TemplateContent,
    variables: Record<string, unknown>,
    tenantId?: string,
  ): Promise<RenderResult>;
  /** Required variables of a stored version that are missing; null when there is no such version. */
  validateVariables(
    tenantId: string,
    templateId: string,
    version: number,
    variables: Record<string, unknown>,
  ): Promise<FieldProblem[] | null>;
  /** What is wrong with the syntax, by part, with line and column. */
  checkSyntax(content: TemplateContent, tenantId?: string): Promise<FieldProblem[]>;
  /**
   * The plain text of an HTML that has none beside it; empty for an HTML over MAX_HTML_TO_TEXT_CHARS, or that takes too long.
   * Throws `unavailable`.
   */
  textOf(tenantId: string, html: string): Promise<string>;
  close(): Promise<void>;
}

const VERSIONS_BUDGET = 32_000_000; // characters of stored versions kept in memory
const ENTRY_COST = 500; // characters that the rest of an entry is worth
const MAX_SHARED_WORKERS = 4;

/** Makes the renderer. `workers` is the number of shared processes, by default one fewer than cores, 1 to 4. */
export function createTemplateRenderer(deps: {
  /** Where all templates are, or those of a tenant. */
  db: Database | ((tenantId: string) => Promise<Database>);
  log: Logger;
  workers?: number;
}): TemplateRenderer {
  const workers = deps.workers ?? Math.max(1, Math.min(MAX_SHARED_WORKERS, availableParallelism() - 1));
  const pool = createRenderPool(deps.log, workers);
  const { db } = deps;
  const versionOf = createVersions(typeof db === 'function' ? db : () => Promise.resolve(db));
  return {
    async render(tenantId, templateId, version, variables) {
      const uuid = fromId('tpl', templateId) ?? templateId;
      const content = await versionOf(tenantId, uuid, version);
      if (!content) return { ok: false, reason: 'the template does not exist' };
      return renderContent(pool, { tenantId, key: `${uuid} ${version}`, content }, variables);
    },
    async renderSubject(tenantId, { id, version, subject, variables: declared }, variables) {
      const content = { subject, html: null, text: null, variables: declared };
      const key = `${id} ${version} subject`;
      const rendered = await renderContent(pool, { tenantId, key, content }, variables);
      return rendered.ok ? rendered.subject : null;
    },
    preview: (content, variables, tenantId = '') =>
      renderContent(pool, { tenantId, key: null, content }, variables),
    async validateVariables(tenantId, templateId, version, variables) {
      const content = await versionOf(tenantId, fromId('tpl', templateId) ?? templateId, version);
      return content && variableProblems(content.variables, variables);
    },
    checkSyntax: (content, tenantId = '') => pool.check(tenantId, content),
    textOf: createTextOf(pool),
    close: () => pool.close(),
  };
}

async function renderContent(
  pool: RenderPool,
  request: { tenantId: string; key: string | null; content: TemplateContent },
  variables: Record<string, unknown>,
): Promise<RenderResult> {
  const [problem] = variableProblems(request.content.variables, variables);
  if (problem) return { ok: false, reason: `${problem.path}: ${problem.message}` };
  const json = toJson(withDefaults(request.content.variables, variables));
  if (json === null) return { ok: false, reason: 'variables: must be plain JSON' };
  if (json.length > MAX_VARIABLES_JSON_CHARS)
    return { ok: false, reason: 'variables: are larger than 2 MiB' };
  return pool.render({ ...request, variables: json });
}

function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null; // a bigint or a cycle
  }
}

// Characters of HTML whose text is made at once: 1 ms for ordinary mail, 13 ms for the worst nesting that was tried.
const MAX_INLINE_HTML = 8 * 1024;
const TEXTS_BUDGET = 8_000_000; // characters of texts kept in memory, so that a retry or a reader does not make one again

function createTextOf(pool: RenderPool): TemplateRenderer['textOf'] {
  const known = createCostCache<string>(TEXTS_BUDGET);
  return async (tenantId, html) => {
    if (html.length <= MAX_INLINE_HTML) return textFromHtml(html) ?? '';
    if (html.length > MAX_HTML_TO_TEXT_CHARS) return '';
    const key = `${tenantId} ${hash('sha256', html)}`;
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const text = await pool.textOf(tenantId, html);
    if (text === '') return text;
    known.set(key, text, ENTRY_COST + text.length);
    known.trim();
    return text;
  };
}

type Versions = (tenantId: string, templateId: string, version: number) => Promise<TemplateContent | null>;

// Reads of one version at the same time share one query. A version that is not there is not remembered.
function createVersions(databaseOf: (tenantId: string) => Promise<Database>): Versions {
  const known = createCostCache<TemplateContent>(VERSIONS_BUDGET);
  const reading = new Map<string, Promise<TemplateContent | null>>();
  const read = async (key: string, ...[tenantId, templateId, version]: Parameters<Versions>) => {
    try {
      const { pool } = await databaseOf(tenantId);
      const content = await selectVersion(pool, tenantId, templateId, version);
      if (content) known.set(key, content, costOf(content));
      known.trim();
      return content;
    } finally {
      reading.delete(key);
    }
  };
  return (tenantId, templateId, version) => {
    const key = `${tenantId} ${templateId} ${version}`;
    const content = known.get(key);
    if (content) return Promise.resolve(content);
    const pending = reading.get(key) ?? read(key, tenantId, templateId, version);
    reading.set(key, pending);
    return pending;
  };
}

function costOf({ subject, html, text, variables }: TemplateContent): number {
  return ENTRY_COST * (1 + variables.length) + subject.length + (html?.length ?? 0) + (text?.length ?? 0);
}
