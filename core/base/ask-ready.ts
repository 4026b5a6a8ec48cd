// The health check of the image: asks the one service that runs in this container, whichever it is, whether it takes
// traffic, and exits 0 or 1. Node's own modules only, because it is started every ten seconds (50 ms of CPU).

import { get } from 'node:http';

import { METRICS_OFFSET, METRICS_PORT } from './metrics-ports.ts';

const ANSWER_MS = 3_500; // the image allows 4 s

const [, , port = '', bound = ''] = process.argv; // METRICS_PORT and BIND_ADDRESS, empty where they are not set
const first = Number(port || METRICS_PORT);
const host = ['', '0.0.0.0', '::'].includes(bound) ? '127.0.0.1' : bound;

const answers = Object.values(METRICS_OFFSET).map((offset) => ask(first + offset));
process.exit((await Promise.any(answers).catch(() => false)) ? 0 : 1);

// Rejects where nothing listens.
function ask(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get({ host, port, path: '/readyz?for=traffic', timeout: ANSWER_MS }, ({ statusCode }) =>
      resolve(statusCode === 200),
    )
      .on('timeout', () => resolve(false))
      .on('error', reject);
  });
}
