// Sends the report of one domain's day to where the domain wants it: by mail through our own sender, or by HTTPS
// (RFC 8460 section 5). A try that is repeated sends the same report under the same id.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { nowDate } from '../base/clock.ts';
import type { GuardedHttp } from '../clients/guarded-http.ts';
import type { SenderClient } from '../clients/sender.ts';
import { parseMailbox } from '../mail/address.ts';
import { parseEnvelopeInput } from '../message/send-input.ts';
import { submitBatch } from '../message/submit-message.ts';
import { reportFile, reportId, writeReport, type Reporter, type TlsSessions } from './tls-report.ts';

/** What sending needs. */
export interface ReportDeps {
  sender: Pick<SenderClient, 'sendBatch'>;
  http: Pick<GuardedHttp, 'post'>;
  /** The tenant that has the reporter's domain verified. */
  tenantId: string;
  reporter: Reporter;
}

const POST_MS = 30_000;
const LINE = 76; // of base64, RFC 2045 section 6.8
const compress = promisify(gzip);

/** Sends one report. Null when a target has accepted it, else what each of them said. */
export async function sendReport(
  deps: ReportDeps,
  targets: readonly string[],
  rows: readonly TlsSessions[],
): Promise<string | null> {
  const { day, domain } = rows[0]!;
  const body = await compress(writeReport(deps.reporter, day, domain, rows));
  const problems: string[] = [];
  for (const target of targets) {
    const problem = /^mailto:/i.test(target)
      ? await mail(deps, addressOf(target), { day, domain, body })
      : await post(deps, target, body);
    if (problem === null) return null;
    problems.push(problem);
  }
  return problems.join('; ');
}

async function post({ http }: ReportDeps, url: string, body: Buffer): Promise<string | null> {
  const answer = await http.post(url, { 'content-type': 'application/tlsrpt+gzip' }, body, POST_MS);
  if (answer.kind !== 'answered') return answer.detail;
  return answer.status >= 200 && answer.status < 300 ? null : `the URL answered ${answer.status}`;
}

function addressOf(target: string): string {
  const [text = ''] = target.slice('mailto:'.length).split('?', 1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function mail(
  { sender, tenantId, reporter }: ReportDeps,
  to: string,
  report: { day: string; domain: string; body: Buffer },
): Promise<string | null> {
  const target = parseMailbox(to); // before it stands in a header
  if (!target.ok) return `${to} is not an address`;
  const raw = writeMail(reporter, target.address.email, report);
  const parsed = parseEnvelopeInput({ raw, to: [to], track_opens: false, track_clicks: false }, nowDate());
  if (!parsed.ok) return `${to}: ${parsed.details.map(({ message }) => message).join(', ')}`;
  const key = `tls-report:${report.day}:${report.domain}:${to}`.slice(0, 255);
  const idempotency = { key, bodyHash: createHash('sha256').update(raw).digest() };
  const answer = await submitBatch(sender, {
    tenantId,
    onlyDomain: null,
    messages: [{ input: parsed.input }],
    idempotency,
  });
  if (!answer.ok) return answer.message;
  const [item] = answer.items;
  return item?.ok ? null : (item?.message ?? 'the sender did not answer');
}

// Section 5.3. The boundary cannot occur: base64 has no hyphen, and the text is ours.
function writeMail(
  reporter: Reporter,
  to: string,
  { day, domain, body }: { day: string; domain: string; body: Buffer },
): Buffer {
  const id = reportId(reporter, day, domain);
  const file = reportFile(reporter, day, domain);
  const boundary = '-----report';
  const lines = [
    `From: ${reporter.contact}`,
    `To: ${to}`,
    `Subject: Report Domain: ${domain} Submitter: ${reporter.domain} Report-ID: <${id}>`,
    `TLS-Report-Domain: ${domain}`,
    `TLS-Report-Submitter: ${reporter.domain}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type="tlsrpt"; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `This is the report of ${reporter.domain} about TLS sessions with mail servers of ${domain} on ${day} (UTC).`,
    '',
    `--${boundary}`,
    'Content-Type: application/tlsrpt+gzip',
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${file}"`,
    '',
    ...(body.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []),
    `--${boundary}--`,
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}
