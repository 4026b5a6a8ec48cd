// What deploy/ sets exists, and what must be set is set.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { settings } from '../../../core/base/config.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8');
const namesIn = (text: string) => [...text.matchAll(/^\s+([A-Z][A-Z_]{3,}):/gm)].map((match) => match[1]!);

const KNOWN = new Set(Object.keys(settings.shape));
const REQUIRED = Object.entries(settings.shape)
  .filter(([, field]) => !field.safeParse(undefined).success)
  .map(([name]) => name);
const OURS_NOT = /^POSTGRES_/; // the database's own image

test('compose sets only settings that exist, and all that have no default', () => {
  const names = namesIn(read('compose.yaml')).filter((name) => !OURS_NOT.test(name));
  expect(names.filter((name) => !KNOWN.has(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(REQUIRED));
});

test('so do the manifests of Kubernetes', () => {
  const names = [
    ...namesIn(read('kubernetes/config.yaml')),
    ...namesIn(read('kubernetes/secret.example.yaml')),
  ];
  expect(names.filter((name) => !KNOWN.has(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(REQUIRED));
});

test('everything that compose wants from its .env is in the example', () => {
  const wanted = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1]!);
  const given = [...read('env.example').matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]!);
  expect(new Set(wanted)).toEqual(new Set(given));
});

test('every manifest is in the kustomization, except the example of the secret', () => {
  const files = readdirSync(join(DEPLOY, 'kubernetes')).filter(
    (file) => file !== 'kustomization.yaml' && file !== 'secret.example.yaml',
  );
  const listed = [...read('kubernetes/kustomization.yaml').matchAll(/^ {2}- ([\w.]+\.yaml)$/gm)].map(
    (match) => match[1],
  );
  expect(new Set(listed)).toEqual(new Set(files));
});
