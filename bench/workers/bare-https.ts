// The least HTTPS server that answers a send: reads the body, says 202 with as many octets as the api does.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { serveWorker } from '../worker.ts';

const ANSWER = JSON.stringify({
  ok: true,
  data: { id: 'msg_01jd8x4z3kf5t8r9w2m6q7v0ab', filler: 'x'.repeat(130) },
});

serveWorker({ start });

async function start(tls: { certFile: string; keyFile: string }): Promise<number> {
  const options = { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
  const server = createServer(options, (request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': ANSWER.length });
      response.end(ANSWER);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
