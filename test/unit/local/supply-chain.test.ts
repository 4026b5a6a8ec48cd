// What others may bring into this project: licenses, install scripts, images. The project itself passes; each planted
// trespass is found.

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { imageProblems, imagesIn, pinImages, readDeployFiles } from '../../../local/supply-chain/images.ts';
import { installProblems, WORKS_WITHOUT_SCRIPT } from '../../../local/supply-chain/install-scripts.ts';
import { ALLOWED_LICENSES, licenseProblems, MEANT_LICENSES } from '../../../local/supply-chain/licenses.ts';
import {
  readLocked,
  readLockedTools,
  type Locked,
  type LockedPackage,
} from '../../../local/supply-chain/lockfile.ts';
import { splitSbom, type Sbom } from '../../../local/supply-chain/sbom.ts';
import { longForm } from '../../harness/form.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const locked = [...readLocked(ROOT), ...readLockedTools(ROOT)];
const npmrc = read('.npmrc');
const unpinned = JSON.parse(read('deploy/unpinned-images.json')) as string[];
const deploy = readDeployFiles(join(ROOT, 'deploy'));
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

const withOne = (more: Partial<LockedPackage>): Locked => [
  ...locked,
  ['planted', { version: '1.0.0', integrity: 'sha512-x', license: 'MIT', ...more }],
];

test('all licenses are allowed where their packages are, and none for nothing', () => {
  expect(locked.length).toBeGreaterThan(500);
  expect(licenseProblems(locked)).toEqual([]);
  for (const { why } of Object.values(ALLOWED_LICENSES)) expect(why).not.toBe('');
});

test.each([
  ['GPL-3.0-only', false, 'planted@1.0.0 is GPL-3.0-only, which is not allowed in production'],
  ['GPL-3.0-only', true, 'planted@1.0.0 is GPL-3.0-only, which is not allowed in development'],
  ['MPL-2.0', false, 'planted@1.0.0 is MPL-2.0, which is not allowed in production'],
  [
    'MIT AND AGPL-3.0-only',
    false,
    'planted@1.0.0 is MIT AND AGPL-3.0-only, which is not allowed in production',
  ],
  ['SEE LICENSE IN x', true, 'planted@1.0.0 is SEE LICENSE IN x, which is not allowed in development'],
  ['MIT License', true, 'planted@1.0.0 is MIT License, which is not allowed in development'],
])('%s is refused where it is not allowed (development: %s)', (license, dev, problem) => {
  expect(licenseProblems(withOne({ license, dev }))).toEqual([problem]);
});

test('a choice of licenses is allowed by one of them, a package without any is not', () => {
  expect(licenseProblems(withOne({ license: 'GPL-3.0-only OR MIT' }))).toEqual([]);
  expect(licenseProblems(withOne({ license: 'MPL-2.0', dev: true }))).toEqual([]);
  const { license: _, ...silent } = withOne({}).at(-1)![1];
  expect(licenseProblems([...locked, ['planted', silent]])).toEqual(['planted@1.0.0 names no license']);
});

test('a license or an exception that nothing needs is to be removed', () => {
  const exceptions = Object.keys(MEANT_LICENSES);
  const without = locked.filter(
    ([name, { license }]) => license !== 'Python-2.0' && !exceptions.includes(name),
  );
  expect(licenseProblems(without)).toEqual(
    ['Python-2.0', ...exceptions].map((id) => `${id} is allowed and nothing has it: remove it`),
  );
});

test('npm runs no script of a package here, and no package needs one', () => {
  expect(installProblems(npmrc, locked)).toEqual([]);
  // As npm itself reads it, here and in the image; scripts of our own before and after others would not run either.
  const setting = execFileSync('npm', ['config', 'get', 'ignore-scripts'], { cwd: ROOT, encoding: 'utf8' });
  expect(setting.trim()).toBe('true');
  const installs = [...read('deploy/Dockerfile').matchAll(/npm (?:ci|install)\b.*/g)].map(([line]) => line);
  expect(installs.length).toBe(2);
  for (const line of installs) expect(line).toContain('--ignore-scripts');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const hooks = Object.keys(scripts).filter((name) => /^(pre|post)/.test(name));
  expect(hooks.filter((name) => name.replace(/^(pre|post)/, '') in scripts || /install/.test(name))).toEqual(
    [],
  );
});

test('a package that wants a script, one without a hash, and scripts switched on are found', () => {
  expect(installProblems(npmrc, withOne({ hasInstallScript: true }))).toEqual([
    'planted@1.0.0 has an install script: does it work without, or is there another package?',
  ]);
  const [name, { integrity: _, ...planted }] = withOne({}).at(-1)!;
  expect(installProblems(npmrc, [...locked, [name, planted]])).toEqual([
    'planted@1.0.0 has no hash in the lockfile',
  ]);
  for (const changed of ['', 'ignore-scripts=false\n', '# ignore-scripts=true\n']) {
    expect(installProblems(changed, locked)).toEqual(['.npmrc must say ignore-scripts=true']);
  }
  const [first] = Object.keys(WORKS_WITHOUT_SCRIPT);
  expect(
    installProblems(
      npmrc,
      locked.filter(([one]) => one !== first),
    ),
  ).toEqual([`${first} has no install script any more: remove it from the list`]);
});

test('every image of deploy/ has a digest, or is listed as one that waits for it', () => {
  expect(imageProblems(deploy, unpinned)).toEqual([]);
  expect(new Set(deploy.flatMap(imagesIn)).size).toBe(4);
  const planted = { path: 'x.yaml', text: '  image: "evil:1"\n' };
  expect(imageProblems([...deploy, planted], unpinned)).toEqual([
    'evil:1 has no digest: npm run images, or add it to deploy/unpinned-images.json',
  ]);
  expect(imageProblems([{ path: 'x.yaml', text: `- image: evil:1@${DIGEST}\n` }], [])).toEqual([]);
  expect(imageProblems([], ['gone:1'])).toEqual([
    'gone:1 is in deploy/unpinned-images.json and in no file without a digest: remove it',
  ]);
});

test('images are found in all ways of naming them, stages and our own are none', () => {
  const text = [
    'FROM --platform=linux/amd64 a:1 AS base',
    'FROM base AS next',
    'FROM next',
    'services:',
    '  x:',
    '    image: b/c:2',
    "  - image: 'd'",
    '    image: postrider',
  ].join('\n');
  expect(imagesIn({ text })).toEqual(['a:1', 'b/c:2', 'd']);
  const newer = `sha256:${'f'.repeat(64)}`;
  const pinned = pinImages({ text }, () => DIGEST);
  expect(imagesIn({ text: pinned })).toEqual(['a:1', 'b/c:2', 'd'].map((image) => `${image}@${DIGEST}`));
  expect(pinImages({ text: pinned }, () => newer)).toBe(pinned.replaceAll(DIGEST, newer));
});

test('npm run images writes what docker says into all files, and nothing when docker knows one image not', async () => {
  const folder = await tempFolder();
  const [copy, bin] = [join(folder, 'deploy'), join(folder, 'bin')];
  cpSync(join(ROOT, 'deploy'), copy, { recursive: true });
  mkdirSync(bin);
  const docker = (answer: string) => {
    const program = join(bin, 'docker');
    writeFileSync(program, `#!/bin/sh\n[ "$1 $2 $3" = "buildx imagetools inspect" ] || exit 2\n${answer}\n`);
    chmodSync(program, 0o755);
  };
  const pin = () =>
    execFileSync(process.execPath, [join(ROOT, 'local/supply-chain/pin-images.ts'), copy], {
      env: { PATH: `${bin}:/bin:/usr/bin` },
      stdio: 'pipe',
    });
  docker(`[ "$4" = redis:7 ] && exit 1\necho '"${DIGEST}"'`);
  expect(pin).toThrow();
  expect(readDeployFiles(copy).map(({ text }) => text)).toEqual(deploy.map(({ text }) => text));
  docker(`echo '"${DIGEST}"'`);
  pin();
  const images = readDeployFiles(copy).flatMap(imagesIn);
  expect(new Set(images)).toEqual(new Set(unpinned.map((image) => `${image}@${DIGEST}`)));
  expect(readFileSync(join(copy, 'unpinned-images.json'), 'utf8')).toBe('[]\n');
});

test('the SBOM of production has what production needs, also what development needs too', () => {
  const component = (ref: string, dev: boolean) => ({
    'bom-ref': ref,
    properties: dev ? [{ name: 'cdx:npm:package:development', value: 'true' }] : [],
  });
  const sbom: Sbom = {
    metadata: { component: { name: 'x' } },
    components: [
      component('both@1.0.0', true),
      component('tool@1.0.0', false),
      component('lib@1.0.0', false),
    ],
    dependencies: [
      { ref: 'lib@1.0.0', dependsOn: ['both@1.0.0'] },
      { ref: 'tool@1.0.0', dependsOn: ['both@1.0.0'] },
      { ref: 'x@1.0.0', dependsOn: ['lib@1.0.0', 'tool@1.0.0'] },
    ],
  };
  const both: Locked = [
    ['both', { version: '1.0.0', dev: true }],
    ['both', { version: '1.0.0' }],
    ['tool', { version: '1.0.0', dev: true }],
    ['lib', { version: '1.0.0' }],
  ];
  const { all, production } = splitSbom(sbom, both);
  const marked = all.components.filter(({ properties }) => properties.length > 0);
  expect(marked.map((one) => one['bom-ref'])).toEqual(['tool@1.0.0']);
  expect(production.components.map((one) => one['bom-ref'])).toEqual(['both@1.0.0', 'lib@1.0.0']);
  expect(production.dependencies).toEqual([
    { ref: 'lib@1.0.0', dependsOn: ['both@1.0.0'] },
    { ref: 'x@1.0.0', dependsOn: ['lib@1.0.0'] },
  ]);
  const optional: Locked = both.map(([name, one]) => [
    name,
    name === 'both' ? { ...one, optional: true } : one,
  ]);
  const { image } = splitSbom(sbom, optional);
  expect(image.components.map((one) => one['bom-ref'])).toEqual(['lib@1.0.0']);
  const missing: Locked = [...both, ['gone', { version: '2.0.0' }]];
  expect(() => splitSbom(sbom, missing)).toThrow('not installed, run npm ci: gone@2.0.0');
});

const inLongForm = test.runIf(longForm(false, true)); // it takes 5 s of CPU
inLongForm(
  'npm run sbom makes CycloneDX in which every package has a hash, and a license or none that SPDX knows',
  () => {
    execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, stdio: 'pipe' });
    const written = (name: string) =>
      JSON.parse(read(`.local/sbom/${name}.cdx.json`)) as {
        bomFormat: string;
        components: { name: string; purl: string; hashes?: unknown[]; licenses?: unknown[] }[];
      };
    const [all, production] = [written('all'), written('production')];
    expect([all.bomFormat, production.bomFormat]).toEqual(['CycloneDX', 'CycloneDX']);
    expect(all.components.length).toBeGreaterThan(production.components.length + 100);
    const names = production.components.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['graphql', 'zod', 'html-to-text', 'react', '@radix-ui/react-dialog']),
    );
    expect(names).not.toContain('vitest');
    expect(all.components.filter(({ hashes }) => !hashes?.length)).toEqual([]);
    const silent = all.components.filter(({ licenses }) => !licenses?.length).map(({ name }) => name);
    expect(silent).toEqual(Object.keys(MEANT_LICENSES));
  },
);
