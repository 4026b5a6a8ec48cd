// What goes to a parser process and what comes back. Plain data only: it crosses a process boundary.

import type { AuthResults, InboundContent } from '../../core/inbound/work-store.ts';
import type { AggregateMail } from '../../core/mail/aggregate/read-aggregate.ts';
import type { Report } from '../../core/mail/report/dsn.ts';

/** A message to read. */
export interface ParseJob {
  raw: Uint8Array;
  /** Envelope, for SPF. */
  mailFrom: string;
  helo: string;
  peer: string;
  /** What is wanted of it. */
  content: boolean;
  report: boolean;
  aggregate: boolean;
}

/** Aggregate reports in a message, and whether DMARC of that message passed. */
export type AggregateResult = AggregateMail & { authenticated: boolean };

/** What was read. Parts that were not wanted are null. */
export interface ParseResult {
  content: InboundContent | null;
  /** Decoded attachments, by index. */
  bodies: { index: number; bytes: Uint8Array }[];
  report: Report | null;
  aggregate: AggregateResult | null;
}

/** The verdicts of mail that was not checked. */
export const NO_AUTH: AuthResults = { spf: 'none', dkim: 'none', dmarc: 'none' };

/** What is stored of mail that could not be parsed: it is delivered raw all the same. */
export function unreadableContent(why: string): InboundContent {
  return {
    headerFrom: null,
    headerTo: [],
    headerCc: [],
    subject: null,
    date: null,
    text: null,
    html: null,
    headers: [],
    attachments: [],
    auth: NO_AUTH,
    autoSubmitted: false,
    parseError: why,
  };
}

/** The result of a message that no parser can read. */
export function unreadable(
  job: Pick<ParseJob, 'content' | 'report' | 'aggregate'>,
  why: string,
): ParseResult {
  return {
    content: job.content ? unreadableContent(why) : null,
    bodies: [],
    report: job.report ? { kind: 'unreadable' } : null,
    aggregate: job.aggregate ? { reports: [], problem: why, sender: '', authenticated: false } : null,
  };
}
