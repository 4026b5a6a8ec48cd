// Work over SMTP: submission, signed in and over TLS, and mail that comes in from the world.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createTransport, type Transporter } from 'nodemailer';

import type { Endpoint } from '../stack/stack.ts';
import { notConnected, refused, taken, unknown, type Answer, type Work } from './work.ts';

/** What goes over the wire. */
export interface SmtpMail {
  mailFrom: string;
  raw: Buffer;
}

type Told = Pick<Work, 'tenant' | 'domain' | 'recipients' | 'contents'>;

const SILENCE_MS = 20_000;
const LIMITS = {
  name: 'client.test',
  connectionTimeout: 5_000,
  greetingTimeout: SILENCE_MS,
  socketTimeout: SILENCE_MS,
};

/** Submission with STARTTLS; the key of `once` is a header field of `raw` already. */
export function submissionWork(
  { endpoints, caFile }: { endpoints: Endpoint[]; caFile: string },
  work: Told & { apiKey: { name: string; value: string }; once: string | null },
  mail: SmtpMail,
): Work {
  const { apiKey, ...rest } = work;
  const secure = {
    requireTLS: true,
    tls: { ca: readFileSync(caFile), servername: 'localhost' },
    auth: { user: 'prove', pass: apiKey.value },
  };
  return {
    ...rest,
    ...describe(endpoints, mail),
    via: 'submission',
    apiKey: apiKey.name,
    ask: async (place) => {
      const answer = await transfer({ ...endpoints[place]!, ...secure }, work.recipients, mail);
      return answer.outcome === 'taken'
        ? { ...answer, taken: readIds(answer.error ?? '', work.recipients) }
        : answer;
    },
  };
}

/** A connection for the first try of several messages, one after the other. */
export interface SharedSession {
  transfer(options: object, to: string[], mail: SmtpMail): Promise<Answer>;
}

/** Makes it; the connection is closed behind so many messages. */
export function createSharedSession(messages: number): SharedSession {
  let left = messages;
  let transport: ReturnType<typeof createPooled> | null = null;
  return {
    async transfer(options, to, mail) {
      transport ??= createPooled(options);
      const answer = await offer(transport, to, mail);
      if (--left === 0) transport.close();
      return answer;
    },
  };
}

const createPooled = (options: object) =>
  createTransport({ ...LIMITS, ...options, pool: true as const, maxConnections: 1, maxMessages: Infinity });

/**
 * Inbound, in plain text as most of the world's servers would without a certificate that they can check. What is tried again has a
 * connection of its own.
 */
export function inboundWork(
  endpoints: Endpoint[],
  work: Told,
  mail: SmtpMail,
  session: SharedSession | null,
): Work {
  let first = session;
  return {
    ...work,
    ...describe(endpoints, mail),
    via: 'inbound',
    apiKey: null,
    once: null,
    ask: (place) => {
      const options = { ...endpoints[place]!, ignoreTLS: true };
      const shared = first;
      first = null;
      return (shared?.transfer ?? transfer)(options, work.recipients, mail);
    },
  };
}

function describe(endpoints: Endpoint[], { raw }: SmtpMail) {
  return {
    sha256: createHash('sha256').update(raw).digest('hex'),
    endpoints: endpoints.map(({ host, port }) => `${host}:${port}`),
  };
}

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
}

/** Sends one message over a connection of its own. Never rejects. */
export async function transfer(options: object, to: string[], { mailFrom, raw }: SmtpMail): Promise<Answer> {
  const transport = createTransport({ ...LIMITS, ...options });
  return offer(transport, to, { mailFrom, raw }).finally(() => transport.close());
}

async function offer(
  transport: Pick<Transporter, 'sendMail'>,
  to: string[],
  { mailFrom, raw }: SmtpMail,
): Promise<Answer> {
  try {
    const { response } = (await transport.sendMail({ envelope: { from: mailFrom, to }, raw })) as {
      response: string;
    };
    return taken(250, { error: response });
  } catch (thrown) {
    const { responseCode, response, message } = thrown as SmtpError;
    if (responseCode !== undefined) return failed(responseCode, (response ?? message).slice('250 '.length));
    return message.includes('ECONNREFUSED') ? notConnected() : unknown(0, message);
  }
}

// Nothing was stored, unless the reply says that it may have been.
function failed(code: number, reply: string): Answer {
  return /may have been stored|is still running/.test(reply) ? unknown(code, reply) : refused(code, reply);
}

// `250 2.0.0 Ok: queued as msg_1,msg_2`; with ` deferred until 2026-11-23T00:00:00.000Z (warmup_cap)` or ` dropped (…)` behind it when
// that is true of all. Of several that differ the reply does not say which.
function readIds(reply: string, recipients: string[]): Answer['taken'] {
  const ids = reply.match(/msg_\w+/g) ?? [];
  const [, status = 'queued', until = null, reason = null] =
    / (deferred|dropped)(?: until (\S+))? \((\w+)\)$/.exec(reply) ?? [];
  return ids.map((id, i) => ({ id, recipient: recipients[i]!, status, reason, deferredUntil: until }));
}
