// The names of the metrics that services export, read from where they are declared.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['api', 'core', 'inbound', 'scheduler', 'sender'];

/** Every `postrider_…` name in the code of the services, as declared. */
export function metricNames(): Set<string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(ROOT, folder, file)),
  );
  const names = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/'(postrider_[a-z_]+)'/g)]);
  return new Set(names.map((match) => match[1]!));
}

/** The metrics that a text names: of a histogram's series the histogram. */
export function metricsIn(text: string): Set<string> {
  const names = [...text.matchAll(/postrider_[a-z_]+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
  return new Set(names);
}
