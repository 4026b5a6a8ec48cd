// Counts of TLS sessions by day, domain and result, until they are reported.
// SQL by hand: many rows to a statement, added to what others have counted.

import type { Queryable } from '../db/pool.ts';
import type { TlsSessions } from './tls-report.ts';

const COLUMNS = [
  'day',
  'domain',
  'policyType',
  'policy',
  'mxPatterns',
  'result',
  'mx',
  'ip',
  'ourIp',
  'reason',
] as const;

/** Adds counts. Rows are taken in the order of their key, so that two senders wait for each other in no circle. */
export async function addSessions(db: Queryable, sessions: readonly TlsSessions[]): Promise<void> {
  const keyOf = (row: TlsSessions) => COLUMNS.map((column) => String(row[column])).join(' ');
  const rows = sessions.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const of = <K extends keyof TlsSessions>(key: K) => rows.map((row) => row[key]);
  await db.query({
    name: 'transport.add-sessions',
    text: `insert into tls_sessions as t
             (day, domain, policy_type, policy, mx_patterns, result, mx, ip, our_ip, reason, sessions)
           select q.day, q.domain, q.policy_type, q.policy, q.mx_patterns, q.result, q.mx, q.ip, q.our_ip, q.reason, q.sessions
           from unnest($1::date[], $2::text[], $3::text[], $4::jsonb[], $5::jsonb[], $6::text[], $7::text[], $8::text[],
             $9::text[], $10::text[], $11::int[])
             as q(day, domain, policy_type, policy, mx_patterns, result, mx, ip, our_ip, reason, sessions)
           on conflict (day, domain, policy_type, result, mx, ip, our_ip, reason) do update
             set sessions = t.sessions + excluded.sessions, policy = excluded.policy, mx_patterns = excluded.mx_patterns`,
    values: [
      ...[of('day'), of('domain'), of('policyType')],
      ...[
        of('policy').map((lines) => JSON.stringify(lines)),
        of('mxPatterns').map((lines) => JSON.stringify(lines)),
      ],
      ...[of('result'), of('mx'), of('ip'), of('ourIp'), of('reason'), of('sessions')],
    ],
  });
}

/** The next report that is due: a domain of a day before `today`, after the one given, in the order of both. */
export async function nextDue(
  db: Queryable,
  today: string,
  after: { day: string; domain: string },
): Promise<{ day: string; domain: string } | null> {
  const { rows } = await db.query<{ day: string; domain: string }>({
    name: 'transport.next-due',
    text: `select day::text, domain from tls_sessions
           where day < $1::date and (day, domain) > ($2::date, $3) order by day, domain limit 1`,
    values: [today, after.day, after.domain],
  });
  return rows[0] ?? null;
}

const MAX_ROWS = 1_000; // of one report: the most frequent ones

/** What was counted for one domain on one day. */
export async function readSessions(db: Queryable, day: string, domain: string): Promise<TlsSessions[]> {
  const { rows } = await db.query<TlsSessions>({
    name: 'transport.sessions',
    text: `select day::text, domain, policy_type as "policyType", policy, mx_patterns as "mxPatterns", result, mx, ip,
             our_ip as "ourIp", reason, sessions
           from tls_sessions where day = $1::date and domain = $2 order by sessions desc, result, mx, ip limit ${MAX_ROWS}`,
    values: [day, domain],
  });
  return rows;
}

/** Forgets what was reported. */
export async function deleteSessions(db: Queryable, day: string, domain: string): Promise<void> {
  await db.query({
    name: 'transport.delete-sessions',
    text: 'delete from tls_sessions where day = $1::date and domain = $2',
    values: [day, domain],
  });
}
