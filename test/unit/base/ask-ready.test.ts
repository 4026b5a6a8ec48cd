// The health check of the image, as Docker runs it.

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { METRICS_OFFSET, metricsPort } from '../../../core/base/metrics-ports.ts';
import { freePort } from '../../../local/servers/free-port.ts';

const ROOT = join(import.meta.dirname, '../../..');

test.each([
  ['api', 200, 0],
  ['scheduler', 200, 0],
  ['inbound', 503, 1],
] as const)('a container with %s, which answers %i, is judged %i', async (service, status, code) => {
  const asked: unknown[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await askReady(port - METRICS_OFFSET[service])).toBe(code);
  expect(asked).toEqual(['/readyz?for=traffic']);
  server.close();
});

test('one in which nothing listens is not well', async () => {
  expect(await askReady(await freePort())).toBe(1);
});

test('any free port stays any free port', () => {
  expect(metricsPort({ METRICS_PORT: 0 }, 'scheduler')).toBe(0);
  expect(metricsPort({ METRICS_PORT: 9464 }, 'scheduler')).toBe(9467);
});

function askReady(port: number): Promise<number> {
  return new Promise((resolve) => {
    const args = ['core/base/ask-ready.ts', `${port}`, '0.0.0.0'];
    const child = execFile(process.execPath, args, { cwd: ROOT }, () => resolve(child.exitCode ?? -1));
  });
}
