// The units for machines without containers: systemd understands them, finds them tight, and gives services what they need.

import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { settings } from '../../../core/base/config.ts';
import { longestStopMs, NODE_FLAGS } from '../../../core/base/lifecycle.ts';
import { skips } from '../../harness/needs.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const UNITS = join(import.meta.dirname, '../../../deploy/systemd');
const read = (file: string) => readFileSync(join(UNITS, file), 'utf8');
const service = read('postrider@.service');
const bulk = read('postrider@sender-bulk.service.d/bulk.conf');
const NO_SYSTEMD = spawnSync('systemd-analyze', ['--version']).error
  ? 'systemd-analyze is missing (Debian: systemd)'
  : null;
const MOST_EXPOSED = { 'postrider@api.service': 20, 'postrider-migrate.service': 40 }; // tenths; 100 is the worst

test('services have the time that they take to stop, and Node its flags', () => {
  const { STOP_DELAY_SECONDS, SENDER_DRAIN_SECONDS } = settings.shape;
  const longest = longestStopMs({
    STOP_DELAY_SECONDS: STOP_DELAY_SECONDS.parse(undefined),
    SENDER_DRAIN_SECONDS: SENDER_DRAIN_SECONDS.parse(undefined),
  });
  expect(service).toContain(`\nTimeoutStopSec=${longest / 1000 + 5}\n`);
  const started = (folder: string) =>
    `\nExecStart=/usr/bin/env node ${NODE_FLAGS.join(' ')} ${folder}/main.ts\n`;
  expect(service).toContain(started('%i'));
  expect(bulk).toContain(started('sender'));
  const [, given] = /^Environment=(.*)$/m.exec(bulk)!;
  const names = given!.split(' ').map((one) => one.split('=')[0]!);
  expect(names.filter((name) => !(name in settings.shape))).toEqual([]);
});

test.skipIf(skips(NO_SYSTEMD))('systemd takes the units, and finds them tight', async () => {
  const folder = await tempFolder();
  cpSync(UNITS, folder, { recursive: true });
  cpSync(join(UNITS, 'postrider@.service'), join(folder, 'postrider@api.service')); // `security` knows no instances
  const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:`, SYSTEMD_COLORS: '0' };
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8', env });
  const units = [
    'postrider@inbound.service',
    'postrider@sender-bulk.service',
    'postrider-migrate.service',
    'postrider.target',
  ];
  const { stderr } = analyze('verify', '--man=no', ...units);
  expect(stderr.split('\n').filter((line) => line.includes('postrider'))).toEqual([]);
  for (const [unit, most] of Object.entries(MOST_EXPOSED)) {
    const { status, stdout } = analyze(
      'security',
      '--offline=true',
      `--threshold=${most}`,
      join(folder, unit),
    );
    expect([unit, status, stdout.split('\n').at(-2)]).toEqual([unit, 0, expect.any(String)]);
  }
});
