// One run of the self-test, in a process of its own: `node prove/bugs/run-bug.ts <run folder> <checkout> <bug> <seed>`.
// The self-test ends it as soon as the bug is found; its stores and services end with it.

import { runOnce } from '../prove.ts';
import { CONTROL, PLANS } from './plans.ts';

const [runDir, folder, bug, seed] = process.argv.slice(2) as [string, string, string, string];
const log = (line: string) => void process.stdout.write(`${line}\n`);
const plan = PLANS[bug] ?? CONTROL;

if (process.send) process.on('disconnect', () => process.exit(1));
await runOnce({
  seed: Number(seed),
  minutes: plan.seconds / 60,
  folder,
  bug: PLANS[bug] ? bug : null,
  runDir,
  log,
  madeFor: plan,
});
process.exit(0);
