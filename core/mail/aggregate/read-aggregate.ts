// Finds the aggregate report in a message, by what its parts hold.
// Guarantee: never rejects, whatever the bytes; memory is bounded by the limits of unpack.ts and of the readers.

import iconv from 'iconv-lite';

import { nowMs } from '../../base/clock.ts';
import { decodeUnsure } from '../charset.ts';
import { parseMail } from '../parse-mail.ts';
import { readDmarcReport } from './dmarc-report.ts';
import { NotAReport, plainDomain, type AggregateReport } from './report.ts';
import { MAX_JSON_BYTES, readTlsReport } from './tls-report.ts';
import { unpack } from './unpack.ts';

/** What a message reports. */
export interface AggregateMail {
  /** One for each domain that the report is about; empty when there is none. */
  reports: AggregateReport[];
  /** Why there is none. */
  problem: string | null;
  /** Domain in From of the mail, in lower case; empty without one. */
  sender: string;
}

const MAX_PARTS = 5; // that are looked into: a report has one, some add a text and a picture

/** Reads a whole message. */
export async function readAggregate(raw: Uint8Array): Promise<AggregateMail> {
  const mail = await parseMail(raw).catch(() => null);
  if (!mail) return { reports: [], problem: 'no mail', sender: '' };
  const sender = plainDomain(mail.from?.value[0]?.address?.replace(/^.*@/, '') ?? '');
  const parts = [...mail.attachments.map(({ content }) => content), Buffer.from(mail.text ?? '')];
  let problem = 'it holds no report';
  for (const part of parts.slice(0, MAX_PARTS)) {
    try {
      const reports = await readReportFile(part);
      if (reports) return { reports, problem: null, sender };
    } catch (error) {
      problem = error instanceof NotAReport ? error.message : 'it cannot be read';
    }
  }
  return { reports: [], problem, sender };
}

/** Reads a report as it is attached, packed or not. Null when it is neither XML nor JSON; throws NotAReport. */
export async function readReportFile(bytes: Buffer): Promise<AggregateReport[] | null> {
  const content = await unpack(bytes);
  if (!content) return null;
  const text = decode(content).trimStart();
  if (text.startsWith('<')) return [readDmarcReport(text, nowMs())];
  if (content.length > MAX_JSON_BYTES) throw new NotAReport('it is too large');
  return readTlsReport(text, nowMs());
}

// Some reports say UTF-16 in their first line and are UTF-8: only a byte order mark is believed.
function decode(bytes: Buffer): string {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return wide ? iconv.decode(bytes, 'utf-16') : decodeUnsure(bytes);
}
