// SMTP submission of an api in this process, and clients that are signed in.

import { createMetrics } from '../../core/base/metrics.ts';
import type { Config } from '../../core/base/config.ts';
import { createReplyCounter } from '../../api/submission/metrics.ts';
import { openSubmission, type Submission } from '../../api/submission/open-submission.ts';
import type { RunningApi } from './api-world.ts';
import { SELF_SIGNED } from './certificate.ts';
import { connectSmtps, type SmtpClient } from './smtp-client.ts';

/** Submission, and the text of its metrics. */
export interface RunningSubmission extends Submission {
  metrics(): Promise<string>;
}

/** Starts it on free ports. */
export async function startSubmission(
  { deps }: RunningApi,
  changes: Partial<Config> = {},
): Promise<RunningSubmission> {
  const registry = createMetrics('api');
  const submission = await openSubmission({
    ...deps,
    config: { ...deps.config, ...changes },
    tls: { key: Buffer.from(SELF_SIGNED.key), cert: Buffer.from(SELF_SIGNED.cert) },
    countReply: createReplyCounter(registry),
  });
  return { ...submission, metrics: () => registry.metrics() };
}

/** The argument of AUTH PLAIN. */
export function plain(key: string, user = 'anybody'): string {
  return Buffer.from(`\0${user}\0${key}`).toString('base64');
}

/** A client that is signed in, over TLS from the start. */
export async function signedIn(submission: Pick<Submission, 'tlsPort'>, key: string): Promise<SmtpClient> {
  const client = await connectSmtps(submission.tlsPort);
  await client.say('EHLO client.test');
  const reply = await client.say(`AUTH PLAIN ${plain(key)}`);
  if (!reply.startsWith('235')) throw new Error(reply);
  return client;
}

/** One message to some recipients over a client that is signed in: the reply to the final dot, or the first that refused. */
export async function submit(
  client: SmtpClient,
  data: string | Buffer,
  to = ['ann@sink.test'],
): Promise<string> {
  const mail = await client.say('MAIL FROM:<bounces@elsewhere.test>');
  if (!mail.startsWith('250')) return mail;
  for (const one of to) {
    const reply = await client.say(`RCPT TO:<${one}>`);
    if (!reply.startsWith('250')) return reply;
  }
  const go = await client.say('DATA');
  if (!go.startsWith('354')) return go;
  client.write(data);
  return client.say('.');
}

/** A small message. */
export function mail(from: string, more: string[] = [], body = 'Hello.'): string {
  return [`From: ${from}`, 'To: ann@sink.test', 'Subject: Hello', ...more, '', body, ''].join('\r\n');
}
