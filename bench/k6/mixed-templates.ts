// A day's mix: by template and in raw HTML, one at a time and 50 at once. Counts messages, not requests.

import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';

import { keys, post, rawMessage, templateMessage } from './seed.ts';

export { handleSummary } from './summary.ts';

const BATCH = 50; // 12 of these a minute are a key's limit
const USERS = Number(__ENV['USERS'] ?? '24');
const SECONDS = Number(__ENV['SECONDS'] ?? '15');

export const options: Options = {
  summaryTrendStats: ['avg', 'med', 'p(95)', 'p(99)', 'max'],
  scenarios: {
    mix: { executor: 'constant-vus', vus: USERS, duration: `${SECONDS}s`, gracefulStop: '0s' },
  },
  thresholds: {
    refused: ['count==0'],
    'http_req_duration{kind:single}': ['p(99)>=0'],
    'http_req_duration{kind:batch}': ['p(99)>=0'],
  },
};

const accepted = new Counter('accepted');
const refused = new Counter('refused');

// Nine single sends for each batch; half of all messages are made from a template.
export default function send(): void {
  const n = exec.scenario.iterationInTest;
  const of = keys[n % keys.length];
  if (!of) return;
  const one = (k: number) => ((n + k) % 2 === 0 ? templateMessage(of, n + k) : rawMessage(of, n + k));
  const isBatch = n % 10 === 0;
  exec.vu.metrics.tags['kind'] = isBatch ? 'batch' : 'single';
  const { status } = isBatch
    ? post(of, '/transactional/batch', { messages: Array.from({ length: BATCH }, (_, k) => one(k)) })
    : post(of, '/transactional/send', one(0));
  if (status === 202) accepted.add(isBatch ? BATCH : 1);
  else refused.add(1, { status: String(status) });
}
