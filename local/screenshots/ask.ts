// The REST API of a running `npm start`, as a program of a customer calls it.

import { readFileSync } from 'node:fs';
import { request } from 'node:https';

/** Asks below /api/v1 and gives `data`. Anything but 2xx throws, with what the api said. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are read freely
export type Ask = (method: string, path: string, body?: unknown, type?: string) => Promise<any>;

/** Calls with one key. */
export function createAsk(connection: { base_url: string; ca_file: string }, key: string): Ask {
  const ca = readFileSync(connection.ca_file);
  return (method, path, body, type = 'application/json') => {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(text !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${connection.base_url}${path}`, { method, headers, ca }, (incoming) => {
        let answer = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          if ((incoming.statusCode ?? 0) < 300) resolve(JSON.parse(answer).data);
          else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${answer}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  };
}
