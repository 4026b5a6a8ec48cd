// The graph of a small made tree, and what must hold for the real one.

import { join } from 'node:path';
import { expect, test } from 'vitest';

import { dependenciesOf, distancesTo, importGraph } from '../../../../local/tests/import-graph.ts';
import { projectGraph, readProject, readScripts } from '../../../../local/tests/project-graph.ts';

const ROOT = join(import.meta.dirname, '../../../..');

const TREE = {
  'core/a.ts': `import { b } from './b.ts';\nimport type { T } from './types.ts';\nexport { c } from '../core/c.ts';`,
  'core/b.ts': `const worker = new URL('./worker.ts', import.meta.url);`,
  'core/c.ts': `export const c = await import('./d.ts'); // it's late`,
  'core/d.ts': `loadScript(join(import.meta.dirname, 'gate.lua'));`,
  'core/gate.lua': '',
  'core/types.ts': '',
  'core/worker.ts': 'const shell = `${import.meta.dirname}/run.sh`;',
  'core/run.sh': '',
  'core/reads.ts': `const FOLDER = join(import.meta.dirname, '../sql'); readdirSync(FOLDER);`,
  'core/names.ts': `const FOLDER = join(import.meta.dirname, '../sql'); read(join(FOLDER, '1.sql'));`,
  'sql/1.sql': '',
  'sql/2.sql': '',
};

test('imports, workers, scripts and folders are dependencies, types are not', () => {
  const graph = graphOf(TREE);
  expect([...dependenciesOf(graph, 'core/a.ts')].toSorted()).toEqual([
    'core/b.ts',
    'core/c.ts',
    'core/d.ts',
    'core/gate.lua',
    'core/run.sh',
    'core/worker.ts',
  ]);
  expect([...dependenciesOf(graph, 'core/reads.ts')].toSorted()).toEqual(['sql/1.sql', 'sql/2.sql']);
  expect([...dependenciesOf(graph, 'core/names.ts')]).toEqual(['sql/1.sql']);
});

test('a distance is the number of steps to the nearest changed file', () => {
  const distances = distancesTo(graphOf(TREE), ['core/gate.lua', 'core/run.sh']);
  expect(distances.get('core/gate.lua')).toBe(0);
  expect(distances.get('core/d.ts')).toBe(1);
  expect(distances.get('core/a.ts')).toBe(3);
  expect(distances.get('core/types.ts')).toBeUndefined();
});

test('a test depends on the services that it or its harness starts, one that names none on all', () => {
  const graph = projectGraph(
    sourcesOf({
      'test/flow/one.test.ts': `import { openStack } from '../harness/stack.ts';`,
      'test/flow/any.test.ts': 'await startService(name, env);',
      'test/flow/script.test.ts': `execFile('npm', ['run', 'sbom']);`,
      'test/harness/stack.ts': `startCopies(\n  'sender', 2, env); startService('api', env);`,
      'test/harness/service.ts': 'export function startService(name, env) {}\nstartService(name, env);',
      'api/main.ts': '',
      'sender/main.ts': '',
      'inbound/main.ts': '',
      'scheduler/main.ts': '',
      'local/sbom.ts': '',
    }),
    { sbom: 'node --flag local/sbom.ts' },
  );
  const services = (file: string) =>
    [...dependenciesOf(graph, file)].filter((name) => name.endsWith('/main.ts')).toSorted();
  expect(services('test/flow/one.test.ts')).toEqual(['api/main.ts', 'sender/main.ts']);
  expect(services('test/flow/any.test.ts')).toHaveLength(4);
  expect(services('test/harness/service.ts')).toEqual([]);
  expect(dependenciesOf(graph, 'test/flow/script.test.ts')).toContain('local/sbom.ts');
});

test('in this repository a change reaches the tests that it should', () => {
  const sources = readProject(ROOT);
  const graph = projectGraph(sources, readScripts(ROOT));
  const near = (file: string) =>
    [...distancesTo(graph, [file]).keys()].filter((name) => name.endsWith('.test.ts'));
  expect(near('inbound/main.ts')).toContain('test/flow/inbound-crash.test.ts');
  expect(near('inbound/main.ts')).not.toContain('test/flow/accept.test.ts');
  expect(near('core/db/cluster/move-bucket.ts')).toContain('test/nightly/citus-cluster.test.ts');
  expect(near('sender/accept/gate/gate.lua')).toContain('test/model/gate.test.ts');
  expect(near('dashboard/src/main.tsx')).toContain('test/browser/account.test.ts');
  expect(near('dashboard/src/main.tsx')).not.toContain('test/flow/accept.test.ts');
  for (const service of ['api', 'sender', 'inbound', 'scheduler'])
    expect(near(`${service}/main.ts`)).toContain('test/nightly/prove.test.ts');
  const migration = sources.map(({ file }) => file).find((file) => /\/migrations\/.*\.sql$/.test(file))!;
  expect(near(migration)).toContain('test/flow/accept.test.ts');
});

function sourcesOf(tree: Record<string, string>) {
  return Object.entries(tree).map(([file, text]) => ({ file, text }));
}

function graphOf(tree: Record<string, string>) {
  return importGraph(sourcesOf(tree));
}
