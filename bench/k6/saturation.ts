// Many tenants at once, in steps of more and more users that each send as fast as they are answered: where the
// number of accepted requests stops growing is the ceiling.

import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import type { Options, Scenario } from 'k6/options';

import { keys, post, rawMessage } from './seed.ts';

export { handleSummary } from './summary.ts';

const STEPS = (__ENV['STEPS'] ?? '8,24,64').split(',').map(Number);
const SECONDS = Number(__ENV['SECONDS'] ?? '10');

const scenarios: Record<string, Scenario> = {};
const thresholds: Record<string, string[]> = { refused: ['count==0'] };
for (const [n, vus] of STEPS.entries()) {
  const name = `users${vus}`;
  scenarios[name] = {
    executor: 'constant-vus',
    vus,
    duration: `${SECONDS}s`,
    startTime: `${n * SECONDS}s`,
    gracefulStop: '0s',
  };
  // k6 reports a step's own numbers only where a threshold asks for them.
  thresholds[`accepted{scenario:${name}}`] = ['count>=0'];
  thresholds[`http_req_duration{scenario:${name}}`] = ['p(99)>=0'];
}

export const options: Options = {
  summaryTrendStats: ['avg', 'med', 'p(95)', 'p(99)', 'max'],
  scenarios,
  thresholds,
};

const accepted = new Counter('accepted');
const refused = new Counter('refused');

export default function send(): void {
  const n = exec.scenario.iterationInTest;
  const of = keys[n % keys.length];
  if (!of) return;
  const { status } = post(of, '/transactional/send', rawMessage(of, n));
  if (status === 202) accepted.add(1);
  else refused.add(1, { status: String(status) });
}
