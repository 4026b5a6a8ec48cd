// The proof that everything works: one real message through REST, gate, queue, DKIM and SMTP to the simulator.

import { readFile } from 'node:fs/promises';
import { request } from 'node:https';

import { monotonicMs, nowMs } from '../../core/base/clock.ts';
import type { SimulatorClient } from '../simulator/client.ts';

/** What became of the first message: delivered, deferred or refused, as its domain is paused for example. */
export type FirstMessage =
  | { id: string; ms: number }
  | { id: string; deferred: { reason: string; until: string } }
  | { refused: { error: string; message: string } };

/** How to reach the service. */
export interface FirstMessageInput {
  baseUrl: string;
  caFile: string;
  apiKey: string;
  domain: string;
  simulator: SimulatorClient;
}

const LIMIT_MS = 30_000;

/** Sends it and waits until it has arrived, unless it is deferred or refused. Throws if it is stuck, and says where. */
export async function sendFirstMessage(input: FirstMessageInput): Promise<FirstMessage> {
  const to = `delivered+start-${nowMs()}@simulator.test`;
  const startedAt = monotonicMs();
  const { status, body } = await post(input, '/transactional/send', {
    from: `Postrider <hello@${input.domain}>`,
    to,
    subject: 'The first message',
    text: 'Sent by npm start, to show that the whole path works.',
  });
  const { data, error, message = '' } = body as SendAnswer;
  if (error !== undefined && status < 500) return { refused: { error, message } };
  if (status !== 202 || !data) throw new Error(`the first message failed: ${status} ${JSON.stringify(body)}`);
  const { reason, deferred_until: until } = data;
  if (data.status === 'deferred') return { id: data.id, deferred: { reason, until } };
  if (!(await input.simulator.waitForMessage(to, LIMIT_MS))) {
    throw new Error(
      `the first message (${data.id}, ${data.status}) did not arrive within ${LIMIT_MS / 1000} s; ` +
        'see .local/log/sender.log',
    );
  }
  return { id: data.id, ms: monotonicMs() - startedAt };
}

interface SendAnswer {
  data?: { id: string; status: string; reason: string; deferred_until: string };
  error?: string;
  message?: string;
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
