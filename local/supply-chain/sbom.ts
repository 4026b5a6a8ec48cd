// `npm run sbom`: the packages that are installed, as CycloneDX, in .local/sbom: `all.cdx.json`, in which those of
// development are marked, `production.cdx.json` without them, and `image.cdx.json` without optional packages either. What production needs is read from the lockfile,
// because npm 11 is wrong about it: `npm sbom --omit dev` leaves out what development depends on too (zod, graphql), and
// of a package that is installed twice it marks either both places or none.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readLocked, type Locked } from './lockfile.ts';

/** What we read of a CycloneDX document; the rest is kept as it is. */
export interface Sbom {
  metadata: { component: { name: string } };
  components: { 'bom-ref': string; properties: { name: string; value: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * The document of npm with the right marks, the same without what only development needs, and the same without optional
 * packages, as the image has it.
 */
export function splitSbom(sbom: Sbom, locked: Locked): { all: Sbom; production: Sbom; image: Sbom } {
  const needed = locked.filter(([, { dev }]) => dev !== true);
  const shipped = new Set(needed.map(([name, { version }]) => `${name}@${version}`));
  const components = sbom.components.map((one) => {
    const others = one.properties.filter(({ name }) => name !== DEVELOPMENT);
    const mark = shipped.has(one['bom-ref']) ? [] : [{ name: DEVELOPMENT, value: 'true' }];
    return { ...one, properties: [...others, ...mark] };
  });
  const there = new Set(components.map((one) => one['bom-ref']));
  const missing = needed
    .filter(([, { optional }]) => optional !== true)
    .map(([name, { version }]) => `${name}@${version}`)
    .filter((one) => !there.has(one));
  if (missing.length > 0) throw new Error(`not installed, run npm ci: ${missing.join(', ')}`);
  const required = new Set(
    needed.filter(([, one]) => one.optional !== true).map(([name, { version }]) => `${name}@${version}`),
  );
  const all = { ...sbom, components };
  const production = without(all, (ref) => there.has(ref) && !shipped.has(ref));
  return { all, production, image: without(production, (ref) => there.has(ref) && !required.has(ref)) };
}

function without(sbom: Sbom, isLeft: (ref: string) => boolean): Sbom {
  return {
    ...sbom,
    components: sbom.components.filter((one) => !isLeft(one['bom-ref'])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => !isLeft(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => !isLeft(one)) })),
  };
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..');
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const printed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 100 * 1024 * 1024 });
  const sbom = JSON.parse(printed) as Sbom;
  sbom.metadata.component.name = 'postrider'; // npm says the name of the folder
  const documents = splitSbom(sbom, readLocked(root));
  const folder = join(root, '.local/sbom');
  mkdirSync(folder, { recursive: true });
  for (const [name, document] of Object.entries(documents)) {
    const file = join(folder, `${name}.cdx.json`);
    writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
    console.log(`${file}: ${document.components.length} packages`);
  }
}
