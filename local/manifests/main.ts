// `npm run manifests`: makes deploy/kubernetes/ from the chart in deploy/helm/, for those without Helm; `-- --check` compares.
// Helm is found on PATH or built once with Go, which takes some minutes: so this is no part of `npm run check`, and a test
// finds manifests that are older than the chart by its hash.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findGoProgram } from '../servers/go-program.ts';
import { CHART, MANIFESTS, splitRendered } from './chart.ts';

const HELM = { name: 'helm', module: 'helm.sh/helm/v3/cmd/helm@v3.22.0', hint: 'Helm 3 (https://helm.sh)' };
const KUBERNETES = '1.34.0'; // what templates may ask for; a Helm that was built by `go install` believes in 1.20

const helm = await findGoProgram(HELM, (line) => console.log(line));
const image = ['--set', 'image.repository=postrider', '--set', 'image.tag=']; // kustomization.yaml names it
const args = ['template', 'postrider', CHART, '--namespace', 'postrider', '--kube-version', KUBERNETES];
const rendered = execFileSync(helm, [...args, ...image], { encoding: 'utf8' });
const stale: string[] = [];
for (const [name, text] of splitRendered(rendered)) {
  const file = join(MANIFESTS, name);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) stale.push(name);
}
if (stale.length > 0) {
  console.error(`not what the chart says, run npm run manifests: ${stale.join(', ')}`);
  process.exitCode = 1;
}
