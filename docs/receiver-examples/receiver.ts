// Receives inbound mail. Answers 401 to what is not signed with our secret.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

// oxlint-disable no-restricted-properties -- a program of its own
const secret = process.env['WEBHOOK_SECRET'] ?? '';
const port = Number(process.env['PORT'] ?? 8088);
const LIMIT = 26 * 1024 * 1024; // a message has 25 MiB at most

function isSigned(body: Buffer, header: string | undefined): boolean {
  const expected = Buffer.from(`hmac-sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  let length = 0;
  request.on('data', (part: Buffer) => {
    length += part.length;
    if (length > LIMIT) request.destroy();
    else parts.push(part);
  });
  request.on('end', () => {
    const body = Buffer.concat(parts);
    const { headers } = request;
    if (!isSigned(body, headers['x-svc-inbound-sig'] as string | undefined)) {
      return void response.writeHead(401).end();
    }
    // Store it here, under the delivery id: a repeat has the same one.
    console.log(headers['x-svc-inbound-delivery'], headers['x-svc-inbound-recipient'], body.length);
    response.writeHead(204).end();
  });
});

server.listen(port, '127.0.0.1', () => console.log('listening'));
