// 00:20 UTC: sends the TLS reports of the days that are over (RFC 8460) to the domains that want them. A report that no
// target accepted stays and is tried again by the next run, for two days.

import { utcDay } from '../../core/base/clock.ts';
import { parseMailbox } from '../../core/mail/address.ts';
import { selectVerifiedOwner } from '../../core/people/invitation-store.ts';
import { sendReport } from '../../core/transport/send-report.ts';
import { deleteSessions, nextDue, readSessions } from '../../core/transport/session-store.ts';
import { readReportTargets } from '../../core/transport/tls-report.ts';
import type { Job } from '../job.ts';

/** The job `tls-reports`. */
export const tlsReports: Job = async ({ config, db, dns, reports, log }, { now, signal }) => {
  const from = config.OUTBOUND_TLS_REPORT_FROM;
  const mailbox = from === undefined ? null : parseMailbox(from);
  if (from === undefined || !mailbox?.ok || reports === undefined)
    return { skipped: 'OUTBOUND_TLS_REPORT_FROM is not set' };
  const { domain: ours, email } = mailbox.address;
  const tenantId = await selectVerifiedOwner(db.pool, ours);
  if (tenantId === null) return { skipped: `the domain ${ours} is not verified` };
  const deps = { ...reports, tenantId, reporter: { domain: ours, contact: email } };
  const today = utcDay(now);
  const done = { sent: 0, failed: 0, unwanted: 0 };
  let due = await nextDue(db.pool, today, { day: '0001-01-01', domain: '' });
  for (; due; due = await nextDue(db.pool, today, due)) {
    signal.throwIfAborted();
    const { day, domain } = due;
    const answer = await dns.txt(`_smtp._tls.${domain}`);
    const targets = answer.kind === 'found' ? readReportTargets(answer.records) : [];
    const wanted = targets.length > 0 || answer.kind === 'unavailable';
    const problem =
      targets.length > 0 ? await sendReport(deps, targets, await readSessions(db.pool, day, domain)) : null;
    if (problem !== null || (wanted && targets.length === 0)) {
      log.warn({ domain, day, why: problem ?? 'its DNS does not answer' }, 'a TLS report was not accepted');
      done.failed += 1;
      continue;
    }
    done[wanted ? 'sent' : 'unwanted'] += 1;
    await deleteSessions(db.pool, day, domain);
  }
  return done;
};
