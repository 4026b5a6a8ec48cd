// Part "submission": mail accepted per second over SMTP, signed in and over TLS, with its COMMIT before 250; beside Postfix,
// which the same client writes the same mail to over the same TLS, into its queue on the same disk.
//
// Postfix's own smtp-source speaks neither TLS nor AUTH, so the load is ours, for both: AUTH, which a Postfix without a
// SASL server has not, is once in 500 messages.

import { postfixMissing, startRelay } from '../test/harness/postfix.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { costPerMessage, readCpuTimes } from './stack/cpu-time.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { startWorker } from './worker.ts';
import type { Login, MailLoad, MailLoadResult } from './workers/mail-client.ts';

const SECONDS = 12;
const QUICK_SECONDS = 4;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 40;
const OCTETS = 4_000; // a plain message with its header
const ACCEPTED_PER_SECOND = 1_000;

/** Runs the part. */
export async function measureSubmission(bench: Bench): Promise<Figure[]> {
  const stack = await startStack(bench, { api: true, holdMail: true, part: 'submission' });
  try {
    const seconds = bench.options.quick ? QUICK_SECONDS : SECONDS;
    const logins = loginsOf(stack);
    await load(stack.submissionPort, WARM_UP_SECONDS, logins.splice(0, 2 * CONNECTIONS));
    const before = await readCpuTimes(bench, stack);
    const ours = await load(stack.submissionPort, seconds, logins);
    const cost = costPerMessage(before, await readCpuTimes(bench, stack), ours.accepted);
    bench.log(`submission: ${rateOf(ours)}/s, p99 ${p99Of(ours)} ms; CPU ms each: ${cost.text}`);
    const postfix = await measurePostfix(bench, stack, seconds);
    if (postfix) bench.log(`Postfix: ${rateOf(postfix)}/s, p99 ${p99Of(postfix)} ms`);
    return [
      {
        id: 'submission.accept',
        what: 'Mail accepted durably over SMTP submission, delivery held back',
        detail: `${CONNECTIONS} connections over TLS with AUTH, ${OCTETS} octets, ${ours.refused} refused, final dot to 250 p99 ${p99Of(ours)} ms`,
        value: rateOf(ours),
        unit: '/s',
        target: { atLeast: ACCEPTED_PER_SECOND },
        ...(postfix && {
          raw: { what: 'same client, Postfix over TLS into its queue', value: rateOf(postfix), unit: '/s' },
        }),
      },
      {
        id: 'submission.cpu',
        what: 'CPU time of each',
        detail: cost.text,
        value: cost.ms,
        unit: 'ms',
        parts: cost.parts,
      },
    ];
  } finally {
    await stack.close();
  }
}

/** How to sign in: one key of each tenant after the other. */
export function loginsOf({ seed }: Pick<Stack, 'seed'>): Login[] {
  const tenants = seed.tenants.map(({ keys, domains }) =>
    keys.map((key, n) => ({ key, from: `Shop <orders@${domains[n % domains.length]}>` })),
  );
  return Array.from({ length: tenants[0]?.length ?? 0 }, (_, n) =>
    tenants.flatMap((all) => all[n] ?? []),
  ).flat();
}

async function measurePostfix(bench: Bench, stack: Stack, seconds: number): Promise<MailLoadResult | null> {
  const missing = postfixMissing();
  if (missing !== null) {
    bench.log(missing);
    return null;
  }
  const relay = await startRelay({
    smtpd_tls_security_level: 'may',
    smtpd_tls_cert_file: stack.certFile,
    smtpd_tls_key_file: stack.keyFile,
    smtpd_recipient_restrictions: 'check_client_access static:HOLD, permit_mynetworks, reject',
    in_flow_delay: '0',
  });
  try {
    const nobody = Array.from({ length: 1_000 }, () => ({ key: null, from: 'Shop <orders@bench.test>' }));
    await load(relay.port, WARM_UP_SECONDS, nobody);
    return await load(relay.port, seconds, nobody);
  } finally {
    relay.stop();
  }
}

async function load(port: number, seconds: number, logins: Login[]): Promise<MailLoadResult> {
  const client = startWorker('mail-client');
  try {
    return await client.ask<MailLoadResult>('run', {
      port,
      connections: CONNECTIONS,
      seconds,
      octets: OCTETS,
      recipients: ['customer@mail1.test', 'customer@mail2.test', 'customer@mail3.test'],
      logins,
    } satisfies MailLoad);
  } finally {
    await client.stop();
  }
}

function rateOf({ accepted, seconds }: MailLoadResult): number {
  return Math.round(accepted / seconds);
}

function p99Of({ percentiles }: MailLoadResult): number {
  return Math.round(percentiles[99] ?? Number.NaN);
}
