// The proof that everything works: one real message through REST, gate, queue, DKIM and SMTP to the simulator.

import { readFile } from 'node:fs/promises';
import { request } from 'node:https';

import { monotonicMs, nowMs } from '../../core/base/clock.ts';
import type { SimulatorClient } from '../simulator/client.ts';

/** What became of the first message. */
export interface FirstMessage {
  id: string;
  /** From the request until the simulator had it; undefined when the gate keeps it until tomorrow. */
  ms: number | undefined;
}

/** How to reach the service. */
export interface FirstMessageInput {
  baseUrl: string;
  caFile: string;
  apiKey: string;
  domain: string;
  simulator: SimulatorClient;
}

const LIMIT_MS = 30_000;

/** Sends it and waits until it has arrived. Throws, saying where it is stuck, when it does not. */
export async function sendFirstMessage(input: FirstMessageInput): Promise<FirstMessage> {
  const to = `delivered+start-${nowMs()}@simulator.test`;
  const startedAt = monotonicMs();
  const { status, body } = await post(input, '/transactional/send', {
    from: `Postrider <hello@${input.domain}>`,
    to,
    subject: 'The first message',
    text: 'Sent by npm start, to show that the whole path works.',
  });
  const { data } = body as { data?: { id: string; status: string } };
  if (status !== 202 || !data)
    throw new Error(`the first message was refused: ${status} ${JSON.stringify(body)}`);
  if (data.status === 'deferred') return { id: data.id, ms: undefined };
  if (!(await input.simulator.waitForMessage(to, LIMIT_MS))) {
    throw new Error(
      `the first message (${data.id}, ${data.status}) did not arrive within ${LIMIT_MS / 1000} s; ` +
        'see .local/log/sender.log',
    );
  }
  return { id: data.id, ms: monotonicMs() - startedAt };
}

interface Answer {
  status: number;
  body: unknown;
}

async function post(input: FirstMessageInput, path: string, content: unknown): Promise<Answer> {
  const ca = await readFile(input.caFile, 'utf8');
  const headers = { authorization: `Bearer ${input.apiKey}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${input.baseUrl}${path}`,
      { method: 'POST', ca, headers, timeout: LIMIT_MS },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, body: parseOrText(text) });
        });
      },
    );
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`${path} did not answer within ${LIMIT_MS / 1000} s`)));
    sent.end(JSON.stringify(content));
  });
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
