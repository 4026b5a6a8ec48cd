// `npm run fuzz -- --minutes 10 [--seed N] [--only smtp,mime,graphql,rest,liquid,dsn,readers]`: fuzz.test.ts for longer, with a line
// of progress every few seconds. Ends with 1 when something was found.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
    only: { type: 'string' },
  },
});
const seconds = Number(values.minutes) * 60;
if (!(seconds > 0)) throw new Error('--minutes is a number above 0');
if (!Number.isSafeInteger(Number(values.seed))) throw new Error('--seed is a whole number');

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', 'test/fuzz/fuzz.test.ts', '--project=servers', '--disableConsoleIntercept'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_SECONDS: String(seconds),
      TEST_SEED: values.seed,
      ...(values.only !== undefined && { FUZZ_ONLY: values.only }),
    },
  },
);
process.exitCode = status ?? 1;
