// What stands in the report of a run, out of its journal and what the auditor found.

import { domainDays, type DomainDay } from '../audit/domain-days.ts';
import type { Evidence } from '../audit/evidence.ts';
import type { FaultSpan } from '../audit/fault.ts';
import { RULES, type Finding, type Rule } from '../audit/finding.ts';
import { saidYes } from '../audit/reply.ts';
import { countDays } from '../audit/whole.ts';
import type { RunBegun } from '../facts/run.ts';
import { FAULT_KINDS } from '../faults/fault-kinds.ts';

/** The run in numbers. Times are milliseconds after its first entry. */
export interface Summary {
  run: string;
  seed: number;
  minutes: number;
  commit: string;
  /** Name of the planted bug; null for what ships. */
  bug: string | null;
  started_at: string;
  /** First and last day of the calendar, and how many they are. */
  days: [string, string];
  calendar_days: number;
  passed: boolean;
  /** How many findings each rule has. */
  rules: Record<Rule, number>;
  findings: Finding[];
  findings_left_off: number;
  counts: Record<string, number>;
  requests: { via: string; taken: number; refused: number; unknown: number }[];
  /** How the messages stood at the end. */
  ends: { status: string; reason: string | null; messages: number }[];
  faults: { name: string; target: string; at_ms: number; lasted_ms: number | null }[];
  /** What this machine could not do, so that it is not proved. */
  left_out: string[];
  /** Kinds of faults, each with those of its targets that no fault met. */
  not_met: { name: string; targets: string[] }[];
  /** What receivers saw of each domain on each day. */
  domain_days: DomainDay[];
}

const MOST_FINDINGS = 500;

/** Makes the summary. */
export function summarize(run: RunBegun | null, evidence: Evidence, findings: Finding[]): Summary {
  const { clock, from, to } = evidence;
  const ofRule = (rule: Rule) => findings.filter((one) => one.rule === rule).length;
  return {
    run: run?.run ?? '',
    seed: run?.seed ?? 0,
    minutes: run?.minutes ?? 0,
    commit: run?.commit ?? '',
    bug: run?.bug ?? null,
    started_at: run?.startedAt ?? '',
    days: [clock.day(from), clock.day(to)],
    calendar_days: countDays(evidence),
    passed: findings.length === 0,
    rules: Object.fromEntries(RULES.map((rule) => [rule, ofRule(rule)])) as Record<Rule, number>,
    findings: findings.slice(0, MOST_FINDINGS),
    findings_left_off: Math.max(0, findings.length - MOST_FINDINGS),
    counts: countAll(evidence),
    requests: countRequests(evidence),
    ends: countEnds(evidence),
    faults: evidence.faults.map((fault) => toFault(fault, from)),
    left_out: leftOut(evidence),
    not_met: notMet(evidence),
    domain_days: domainDays(evidence),
  };
}

function countAll({ asked, wire, faults, followed, messages, webhooks, mailbox }: Evidence) {
  const transactions = [...wire.values()].flat();
  const yes = transactions.filter(({ dot, verdict }) => dot !== null && saidYes(verdict));
  const delivered = new Set(yes.map(({ recipient, dot }) => `${dot!.messageId} ${recipient}`)).size;
  const atWebhooks = webhooks.filter(({ status }) => status < 300).map(({ message }) => message);
  return {
    requests: asked.length,
    accepted_messages: new Set(asked.flatMap(({ answer }) => answer?.taken.map(({ id }) => id) ?? [])).size,
    listed_messages: messages.size,
    transactions: transactions.length,
    delivered,
    delivered_again: yes.length - delivered,
    events_followed: followed.length,
    inbound_accepted: asked.filter(
      ({ request, answer }) => request.via === 'inbound' && answer?.outcome === 'taken',
    ).length,
    inbound_at_webhooks: new Set(atWebhooks).size,
    inbound_in_mailboxes: new Set(mailbox.map(({ message }) => message)).size,
    faults: faults.length,
  };
}

function countRequests({ asked }: Evidence): Summary['requests'] {
  return [...Map.groupBy(asked, ({ request }) => request.via)].map(([via, requests]) => {
    const of = (outcome: string) =>
      requests.filter(({ answer }) => (answer?.outcome ?? 'unknown') === outcome).length;
    return { via, taken: of('taken'), refused: of('refused'), unknown: of('unknown') };
  });
}

function countEnds({ messages }: Evidence): Summary['ends'] {
  const groups = Map.groupBy(messages.values(), ({ status, deferReason, reason }) =>
    JSON.stringify([status, deferReason ?? reason]),
  );
  const ends = [...groups].map(([key, group]) => {
    const [status, reason] = JSON.parse(key) as [string, string | null];
    return { status, reason, messages: group.length };
  });
  return ends.sort((a, b) => b.messages - a.messages);
}

function toFault({ name, target, from, to }: FaultSpan, began: number): Summary['faults'][number] {
  const lasted = Number.isFinite(to) ? Math.round(to - from) : null;
  return { name, target, at_ms: Math.round(from - began), lasted_ms: lasted };
}

function leftOut({ leftOut: missing, skipped }: Evidence): string[] {
  const faults = skipped.map(({ name, target, detail }) => `${name} ${target}: ${detail ?? 'not made'}`);
  return [...new Set([...missing.map(({ what }) => what), ...faults])];
}

function notMet({ faults }: Evidence): Summary['not_met'] {
  const met = new Set(faults.map(({ name, target }) => `${name} ${target}`));
  return Object.entries(FAULT_KINDS)
    .map(([name, { targets }]) => ({ name, targets: targets.filter((one) => !met.has(`${name} ${one}`)) }))
    .filter(({ targets }) => targets.length > 0);
}
