// What deploy/ sets exists, and what must be set is set.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { settings } from '../../../core/base/config.ts';
import { longestStopMs, NODE_FLAGS } from '../../../core/base/lifecycle.ts';
import { workloads } from '../../harness/manifests.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8');
const namesIn = (text: string) => [...text.matchAll(/^\s+([A-Z][A-Z_]{3,}):/gm)].map((match) => match[1]!);

const KNOWN = new Set(Object.keys(settings.shape));
const REQUIRED = Object.entries(settings.shape)
  .filter(([, field]) => !field.safeParse(undefined).success)
  .map(([name]) => name);
const OURS_NOT = /^(POSTGRES|BACKUP)_|^PG[A-Z]+$/; // of the database's own image, and of backup.sh

test('compose sets only settings that exist, and all that have no default', () => {
  const names = namesIn(read('compose.yaml')).filter((name) => !OURS_NOT.test(name));
  expect(names.filter((name) => !KNOWN.has(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(REQUIRED));
});

const SERVICES = ['api', 'sender', 'inbound', 'scheduler'];
const SPARE_SECONDS = 5; // of the grace period, beside the longest stop

test('nothing is killed before its longest stop is over, and the documentation has the same times', () => {
  const { STOP_DELAY_SECONDS, SENDER_DRAIN_SECONDS } = settings.shape;
  const longest = longestStopMs({
    STOP_DELAY_SECONDS: STOP_DELAY_SECONDS.parse(undefined),
    SENDER_DRAIN_SECONDS: SENDER_DRAIN_SECONDS.parse(undefined),
  });
  const seconds = longest / 1000 + SPARE_SECONDS;
  expect(read('compose.yaml')).toContain(`stop_grace_period: ${seconds}s`);
  for (const { kind, spec } of workloads()) {
    if (kind !== 'Job') expect(spec.template.spec.terminationGracePeriodSeconds).toBe(seconds);
    // A hook would run before SIGTERM, and its time is part of the grace period: the service waits by itself.
    expect(spec.template.spec.containers[0]).not.toHaveProperty('lifecycle');
  }
  expect(readFileSync(join(DEPLOY, '../docs/operating.md'), 'utf8')).toContain(
    `${longest / 1000} s with the defaults, so the grace period is ${seconds} s`,
  );
});

test('Node has the same flags wherever a service is started', () => {
  const flags = NODE_FLAGS.join(' ');
  expect(read('Dockerfile')).toContain(`\nENV NODE_OPTIONS=${flags}\n`);
  const { scripts } = JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8'));
  for (const name of SERVICES) expect(scripts[name]).toBe(`exec node ${flags} ${name}/main.ts`);
  expect(scripts.start).toBe(`exec node ${flags} local/start.ts`);
});

test('everything that compose wants from its .env is in the example', () => {
  const wanted = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1]!);
  const given = [...read('env.example').matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]!);
  expect(new Set(wanted)).toEqual(new Set(given));
});
