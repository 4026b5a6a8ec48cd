// The raw limits of delivery on this machine: signatures, rows and SMTP, each by the least code that does it.

import { newUuid } from '../core/base/ids.ts';
import { inTransaction } from '../core/db/transaction.ts';
import { OutgoingMessage } from '../core/gen/sender/v1/sender.ts';
import { acceptMessages, type MessageRow } from '../core/message/accept-store.ts';
import { packContents, type StoredContent } from '../core/message/stored-content.ts';
import { makeMail } from './sample-mail.ts';
import { startSink } from './stack/sink.ts';
import type { Stack } from './stack/stack.ts';
import { startWorker } from './worker.ts';
import type { SmtpLoad } from './workers/smtp-client.ts';

/** Per second. */
export interface RawLimits {
  signatures: number;
  /** Messages with content, 100 to a transaction, one after the other. */
  rows: number;
  /** Messages that the sink accepts from a bare client. */
  smtp: number;
}

const ROWS_EACH = 100;
const CONNECTIONS = 16;

/** Measures the three, one after the other. */
export async function measureRawLimits(stack: Stack, seconds: number): Promise<RawLimits> {
  const ask = async (name: string, input: unknown): Promise<number> => {
    const worker = startWorker(name);
    try {
      return await worker.ask<number>('run', input);
    } finally {
      await worker.stop();
    }
  };
  const sink = await startSink(); // one of its own: the samples of the stack's are looked at later
  try {
    const load: SmtpLoad = { port: sink.smtpPort, connections: CONNECTIONS, seconds };
    return {
      signatures: await ask('signer', seconds),
      rows: await insertRows(stack, seconds),
      smtp: await ask('smtp-client', load),
    };
  } finally {
    await sink.stop();
  }
}

async function insertRows(stack: Stack, seconds: number): Promise<number> {
  const plain = Buffer.from(OutgoingMessage.encode(makeMail('raw.test', 0)).finish());
  const content = (await packContents([plain]))[0]!;
  const tenantId = newUuid();
  const domainId = newUuid();
  const startedAt = performance.now();
  let inserted = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    const rows = Array.from({ length: ROWS_EACH }, () => makeRow(tenantId, domainId, content));
    await inTransaction(stack.db.pool, (client) => acceptMessages(client, rows));
    inserted += rows.length;
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  // Not the services' business: gone before they look for work.
  await stack.db.pool.query('delete from messages where tenant_id = $1', [tenantId]);
  await stack.db.pool.query('delete from message_contents where tenant_id = $1', [tenantId]);
  return inserted / elapsed;
}

// Finished as it is born, so that no sender claims it.
function makeRow(tenantId: string, domainId: string, content: StoredContent): MessageRow {
  return {
    id: newUuid(),
    tenantId,
    domainId,
    stream: 'transactional',
    origin: 'api' as const,
    state: 'dropped',
    reason: 'suppressed',
    deferReason: null,
    deferredUntil: null,
    nextAttemptAt: null,
    admittedDay: null,
    esp: null,
    headerFrom: 'orders@raw.test',
    rcptTo: 'customer@mail1.test',
    subject: 'Your order',
    templateId: null,
    templateVersion: null,
    groupId: null,
    addressField: null,
    campaignId: null,
    contactId: null,
    tags: [],
    claimVersion: 0,
    claimedBy: null,
    expiresAt: null,
    finishedAt: new Date(),
    dayTier: null,
    dayCap: null,
    dayUsed: null,
    dayReserved: null,
    decisions: null,
    content,
    confidential: false,
  };
}
