// Jobs as they are sent to a worker. Each worker keeps what it has parsed, so a template is sent to it once.

import { createCostCache } from './cost-cache.ts';
import { PARTS, type TemplateContent } from './template.ts';
import type { WorkerBatch, WorkerTask } from './worker-messages.ts';

/** One thing to do, for whom. */
export interface RenderJob {
  kind: 'render' | 'check' | 'text';
  tenantId: string;
  /** Names (template, version), or what all texts of a tenant have in common; null for content that is rendered once. */
  key: string | null;
  content: TemplateContent;
  variables: string;
}

const CACHE_BUDGET = 48_000_000; // bytes of parsed templates in one worker, roughly
const TAG_COST = 1_000; // bytes of a parsed tag

/** Makes the packing of one worker, which knows what that worker has. */
export function createPackTasks(): (jobs: { id: number; job: RenderJob }[]) => WorkerBatch {
  const known = createCostCache<true>(CACHE_BUDGET);
  const toTask = (job: RenderJob): WorkerTask => {
    const { subject, html, text } = job.content;
    const content = { subject, html, text };
    if (job.kind === 'check') return { kind: 'check', content };
    if (job.kind === 'text') return { kind: 'text', html: html ?? '' };
    const { key, variables } = job;
    if (key !== null && known.get(key)) return { kind: 'render', key, content: null, variables };
    if (key !== null) known.set(key, true, costOf(content));
    return { kind: 'render', key, content, variables };
  };
  return (jobs) => {
    const tasks = jobs.map(({ id, job }) => ({ id, task: toTask(job) }));
    return { forget: known.trim(new Set(jobs.flatMap(({ job }) => job.key ?? []))), tasks };
  };
}

function costOf(content: Omit<TemplateContent, 'variables'>): number {
  let cost = 0;
  for (const part of PARTS) {
    const source = content[part] ?? '';
    cost += source.length + TAG_COST * (source.split('{').length - 1);
  }
  return cost;
}
