// Posting a synthetic message to a tenant's webhook, so that its owner sees whether it works.

import { AppError } from '../base/errors.ts';
import type { Config } from '../base/config.ts';
import { nowDate } from '../base/clock.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { GuardedHttp } from '../clients/guarded-http.ts';
import type { Database } from '../db/pool.ts';
import { readEndpoint } from './settings.ts';
import { deliveryHeaders, startSignature } from './sign.ts';

/** Milliseconds that an endpoint has for its whole answer. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

/** Characters of an answer that are shown, as in the log of deliveries. */
const MAX_SHOWN_CHARS = 4_096;

/** What the test found. */
export interface TestSendResult {
  passed: boolean;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The start of the answer, as it came: untrusted text. */
  responseBody: string | null;
}

/** What a test needs. */
export interface TestSendDeps {
  db: Database;
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS' | 'WEBHOOK_HEADER_PREFIX'>;
  http: GuardedHttp;
}

/** Posts once, with the same headers as a delivery. The webhook need not be turned on. */
export async function testSend(deps: TestSendDeps, tenantId: string): Promise<TestSendResult> {
  const endpoint = await readEndpoint(deps, tenantId);
  if (!endpoint) throw new AppError('conflict', 'Set a webhook_url first.');
  const body = syntheticMessage();
  const signature = startSignature(endpoint.secret).update(body).digest('hex');
  const headers = deliveryHeaders(deps.config.WEBHOOK_HEADER_PREFIX, signature, {
    tenantId: toId('tnt', tenantId),
    recipient: 'webhook-test@example.com',
    deliveryId: toId('dlv', newUuid()),
    attempt: 1,
    messageId: toId('inm', newUuid()),
    mailFrom: 'webhook-test@example.com',
    peer: '127.0.0.1',
    auth: { spf: 'none', dkim: 'none', dmarc: 'none' },
    scan: null,
    junk: false,
  });
  return postTest(deps.http, endpoint.url, headers, body);
}

/** Posts once and says what came of it. */
export async function postTest(
  http: GuardedHttp,
  url: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<TestSendResult> {
  const result = await http.post(url, headers, body, WEBHOOK_TIMEOUT_MS);
  if (result.kind !== 'answered') {
    return {
      passed: false,
      statusCode: null,
      durationMs: result.ms,
      error: result.detail,
      responseBody: null,
    };
  }
  const passed = result.status >= 200 && result.status < 300;
  return {
    passed,
    statusCode: result.status,
    durationMs: result.ms,
    error: passed ? null : `the endpoint answered ${result.status}`,
    responseBody: result.body.slice(0, MAX_SHOWN_CHARS),
  };
}

function syntheticMessage(): Buffer {
  return Buffer.from(
    [
      'From: Postrider <webhook-test@example.com>',
      'To: webhook-test@example.com',
      'Subject: Test of your inbound webhook',
      `Date: ${nowDate().toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: <${newUuid()}@example.com>`,
      'Auto-Submitted: auto-generated',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'This message was made to test your inbound webhook. Nobody sent it.',
      '',
    ].join('\r\n'),
  );
}
