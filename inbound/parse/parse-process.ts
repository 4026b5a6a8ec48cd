// A parser process. It holds no connection and writes nothing, so that it can be killed at any moment.

import { endWithParent } from '../../core/base/sandbox.ts';
import { serveJobs } from '../../core/base/serve-jobs.ts';
import type { AuthResults } from '../../core/inbound/work-store.ts';
import { readAggregate } from '../../core/mail/aggregate/read-aggregate.ts';
import { readReport } from '../../core/mail/report/dsn.ts';
import { createAuthenticate } from './authenticate-sender.ts';
import {
  unreadable,
  unreadableContent,
  type AggregateResult,
  type ParseJob,
  type ParseResult,
} from './parse-job.ts';
import { readContent } from './read-content.ts';

const { dnsServers, hostname } = JSON.parse(process.argv[2]!) as { dnsServers: string[]; hostname: string };
const authenticateSender = createAuthenticate(dnsServers, hostname);

endWithParent();
serveJobs(read, (job, error) => unreadable(job, gaveUp(error)));

async function read(job: ParseJob): Promise<ParseResult> {
  const report = job.report ? await readReport(Buffer.from(job.raw)) : null;
  if (!job.content && !job.aggregate) return { content: null, bodies: [], report, aggregate: null };
  const checking = authenticateSender(job);
  const aggregate = job.aggregate ? await readAggregateOf(job, checking) : null;
  if (!job.content) return { content: null, bodies: [], report, aggregate };
  const [parsed, auth] = await Promise.all([
    readContent(job.raw).catch((error: unknown) => ({
      content: unreadableContent(gaveUp(error)),
      bodies: [],
    })),
    checking,
  ]);
  return { content: { ...parsed.content, auth }, bodies: parsed.bodies, report, aggregate };
}

async function readAggregateOf(job: ParseJob, checking: Promise<AuthResults>): Promise<AggregateResult> {
  const found = await readAggregate(job.raw);
  return { ...found, authenticated: (await checking).dmarc === 'pass' };
}

function gaveUp(error: unknown): string {
  return `the parser gave up: ${String(error).slice(0, 200)}`;
}
