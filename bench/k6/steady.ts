// A steady stream of sends over many keys, for as long as it takes to see whether memory grows.

import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';

import { keys, post, rawMessage, templateMessage } from './seed.ts';

export { handleSummary } from './summary.ts';

export const options: Options = {
  summaryTrendStats: ['med', 'p(99)'],
  scenarios: {
    steady: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV['RATE'] ?? '500'),
      duration: `${__ENV['SECONDS'] ?? '30'}s`,
      preAllocatedVUs: 100,
      maxVUs: 500,
      gracefulStop: '5s',
    },
  },
  thresholds: { refused: ['count==0'] },
};

const accepted = new Counter('accepted');
const refused = new Counter('refused');

// One in ten is made from a template.
export default function send(): void {
  const n = exec.scenario.iterationInTest;
  const of = keys[n % keys.length];
  if (!of) return;
  const body = n % 10 === 0 ? templateMessage(of, n) : rawMessage(of, n);
  const { status } = post(of, '/transactional/send', body);
  if (status === 202) accepted.add(1);
  else refused.add(1, { status: String(status) });
}
