// A parser process. It holds no connection and writes nothing, so that it can be killed at any moment.

import { endWithParent, writeMark } from '../../core/base/sandbox.ts';
import type { AuthResults } from '../../core/inbound/work-store.ts';
import { readAggregate } from '../../core/mail/aggregate/read-aggregate.ts';
import { readReport } from '../../core/mail/report/dsn.ts';
import { createAuthenticate } from './authenticate-sender.ts';
import { unreadableContent, type AggregateResult, type ParseJob, type ParseResult } from './parse-job.ts';
import { readContent } from './read-content.ts';

const { dnsServers, hostname } = JSON.parse(process.argv[2]!) as { dnsServers: string[]; hostname: string };
const authenticateSender = createAuthenticate(dnsServers, hostname);

endWithParent();
process.on('message', (jobs: { id: number; job: ParseJob }[]) => {
  for (const { id, job } of jobs) void read(job).then((result) => process.send?.([{ id, result }]));
});
writeMark(0);

async function read(job: ParseJob): Promise<ParseResult> {
  const report = job.report ? await readReport(Buffer.from(job.raw)) : null;
  if (!job.content && !job.aggregate) return { content: null, bodies: [], report, aggregate: null };
  const checking = authenticateSender(job);
  const aggregate = job.aggregate ? await readAggregateOf(job, checking) : null;
  if (!job.content) return { content: null, bodies: [], report, aggregate };
  const [parsed, auth] = await Promise.all([
    readContent(job.raw).catch((error: unknown) => ({
      content: unreadableContent(`the parser gave up: ${String(error).slice(0, 200)}`),
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
