// The Helm chart and what is made from it.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** The chart. */
export const CHART = join(ROOT, 'deploy/helm');
/** Where the manifests made from it lie, beside three files that are written by hand. */
export const MANIFESTS = join(ROOT, 'deploy/kubernetes');

/** First line of a manifest that is made. It names the chart's content, so that a stale one is found without Helm. */
export function headerLine(): string {
  const hash = createHash('sha256');
  const files = readdirSync(CHART, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const path of files.map((one) => join(one.parentPath, one.name)).toSorted())
    hash.update(path.slice(CHART.length)).update('\0').update(readFileSync(path)).update('\0');
  return `# Made from deploy/helm by \`npm run manifests\`: change the chart. sha256 ${hash.digest('hex').slice(0, 16)}`;
}

/** What `helm template` printed, by template: the text of each file of MANIFESTS. */
export function splitRendered(rendered: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const document of rendered.split(/^---$/m)) {
    const [, name, text] = /^\n# Source: [\w-]+\/templates\/([\w-]+\.yaml)\n([^]*)$/.exec(document) ?? [];
    if (name === undefined || text === undefined || !/^[^#\n]/m.test(text)) continue;
    const before = files.get(name);
    files.set(name, `${before === undefined ? `${headerLine()}\n` : `${before}---\n`}${text.trim()}\n`);
  }
  return files;
}
