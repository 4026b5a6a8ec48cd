// 600 requests a minute with one key: what a customer at the limit sees. A second scenario warms the processes up
// with other keys first, because no production process has just started.

import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';

import { keys, post, rawMessage } from './seed.ts';

export { handleSummary } from './summary.ts';

const WARM_UP_SECONDS = 8;
const SECONDS = Number(__ENV['SECONDS'] ?? '59'); // under 60: the 601st request within a minute is rightly refused

export const options: Options = {
  summaryTrendStats: ['avg', 'med', 'p(95)', 'p(99)', 'max'],
  scenarios: {
    warmUp: {
      executor: 'constant-arrival-rate',
      exec: 'warmUp',
      rate: 100,
      duration: `${WARM_UP_SECONDS}s`,
      preAllocatedVUs: 20,
    },
    limit: {
      executor: 'constant-arrival-rate',
      exec: 'limit',
      startTime: `${WARM_UP_SECONDS + 1}s`,
      rate: 600,
      timeUnit: '1m',
      duration: `${SECONDS}s`,
      preAllocatedVUs: 10,
      maxVUs: 50,
    },
  },
  thresholds: {
    'http_req_duration{scenario:limit}': ['p(99)<25'],
    'http_reqs{scenario:limit}': ['count>0'],
    refused: ['count==0'],
  },
};

const refused = new Counter('refused');

export function warmUp(): void {
  const n = exec.scenario.iterationInTest;
  const of = keys[1 + (n % (keys.length - 1))];
  if (of) post(of, '/transactional/send', rawMessage(of, n));
}

export function limit(): void {
  const of = keys[0];
  if (!of) return;
  const { status } = post(of, '/transactional/send', rawMessage(of, exec.scenario.iterationInTest));
  refused.add(status === 202 ? 0 : 1);
}
