// A simulator for one test, and a mail client that returns the answers it got.

import { createTransport, type SendMailOptions } from 'nodemailer';
import { onTestFinished } from 'vitest';

import { simulatorClient, type SimulatorClient } from '../../local/simulator/client.ts';
import {
  startSimulator,
  type Simulator,
  type SimulatorOptions,
} from '../../local/simulator/start-simulator.ts';

/** Starts one that ends with the running test. */
export async function testSimulator(
  options: SimulatorOptions = {},
): Promise<{ simulator: Simulator; client: SimulatorClient }> {
  const simulator = await startSimulator({ reportDelayMs: 1, ...options });
  onTestFinished(() => simulator.stop());
  return { simulator, client: simulatorClient(simulator.httpPort) };
}

/** The last reply to a message: of the final dot, or of the command that was refused. */
export async function send(
  port: number,
  to: string,
  more: SendMailOptions & { from?: string } = {},
): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  try {
    const envelope = { from: more.from ?? 'sender@example.test', to: [to] };
    const sent = await transport.sendMail({ subject: 'Test', text: 'Hello', to, ...more, envelope });
    return sent.response;
  } catch (error) {
    return (error as { response?: string }).response ?? String(error);
  } finally {
    transport.close();
  }
}
