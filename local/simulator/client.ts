// The simulator's HTTP interface from the other side, for `npm start`, tests and load tests.

import { sleep } from '../../core/base/clock.ts';
import type { CaughtMessage } from './message-store.ts';
import type { DnsRecordInput } from './zone.ts';

/** What can be asked of a running simulator. */
export interface SimulatorClient {
  /** Adds DNS records. */
  addRecords(records: DnsRecordInput[]): Promise<void>;
  /** Removes DNS records of the same type, name and value. */
  removeRecords(records: DnsRecordInput[]): Promise<void>;
  /** Caught messages, newest first. */
  messages(filter?: { to?: string; limit?: number }): Promise<CaughtMessage[]>;
  /** Waits for the newest message to a recipient; undefined when none came in time. */
  waitForMessage(to: string, limitMs: number): Promise<CaughtMessage | undefined>;
}

const POLL_MS = 20;

/** Makes the client of the simulator on this machine. */
export function simulatorClient(httpPort: number): SimulatorClient {
  const base = `http://127.0.0.1:${httpPort}`;
  const changeDns = async (method: 'POST' | 'DELETE', records: DnsRecordInput[]) => {
    const headers = { 'content-type': 'application/json' };
    await checked(await fetch(`${base}/dns`, { method, headers, body: JSON.stringify({ records }) }));
  };
  const messages = async (filter: { to?: string; limit?: number } = {}) => {
    const query = new URLSearchParams();
    if (filter.to !== undefined) query.set('to', filter.to);
    if (filter.limit !== undefined) query.set('limit', `${filter.limit}`);
    const response = await checked(await fetch(`${base}/messages?${query}`));
    return ((await response.json()) as { items: CaughtMessage[] }).items;
  };
  return {
    addRecords: (records) => changeDns('POST', records),
    removeRecords: (records) => changeDns('DELETE', records),
    messages,
    waitForMessage: async (to, limitMs) => {
      const limit = AbortSignal.timeout(limitMs);
      while (!limit.aborted) {
        const [newest] = await messages({ to, limit: 1 });
        if (newest) return newest;
        await sleep(POLL_MS, limit);
      }
      return undefined;
    },
  };
}

async function checked(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`simulator: ${response.status} ${await response.text()}`);
  return response;
}
