// The report of a run as one page that needs nothing beside it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RULES, type Rule } from '../audit/finding.ts';
import type { Machine } from './machine.ts';
import { capPlot, escape, faultPlot, linePlot, type TimeAxis } from './plots.ts';
import type { OverTime } from './series.ts';
import type { Summary } from './summary.ts';

const PROMISES: Record<Rule, string> = {
  whole: 'The run went to its end, nothing of the prover failed, and the calendar saw its days.',
  settled: 'Without load and faults everything came to rest.',
  cap: 'No receiver saw more of a domain in a UTC day than its cap; where mail waited all day, the cap was used.',
  accepted: 'Every accepted message was delivered, ended otherwise, or waits with a reason and a time ahead.',
  repeats:
    'A message was delivered once; again only after a fault inside its DATA window, with the same Message-ID.',
  unasked: 'Nothing was delivered that nobody asked for or that was refused.',
  content: 'Receivers got the subject, words, attachments and headers that were asked for, well signed.',
  early: 'Nothing that was refused for now was tried again before its time.',
  suppression: 'After a suppression was answered, no DATA began for its recipient.',
  why: 'Until the time that the API showed, mail waited for its cap; then it did not wait any longer.',
  order: 'Older mail was admitted before newer mail of its domain.',
  system: 'Who asked for a new password got mail within two minutes, whatever the tenants did.',
  events: 'What a follower of events saw is what happened: nothing missing, nothing twice, nothing invented.',
  idempotency: 'One key had one effect and one answer.',
  quota: 'The quota counts what was accepted, and was never passed.',
  'rate-limit': 'Never more than the limit in 60 s, never a refusal below it.',
  inbound: 'Mail answered with 250 arrived once, byte for byte.',
};

const SHOWN_FINDINGS = 100;

/** Makes the page. */
export function toPage(summary: Summary, machine: Machine, time: OverTime): string {
  const seconds = time.bins * time.binSeconds;
  const axis: TimeAxis = { seconds, binSeconds: time.binSeconds, faults: summary.faults };
  const css = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8');
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Proof of ${escape(summary.started_at.slice(0, 10))}, seed ${summary.seed}</title><style>${css}</style>
${head(summary, machine)}
<h2>Promises</h2>${promises(summary)}
${findings(summary)}
<h2>Messages per second</h2>
<p class="soft">Bands are faults; hover over one to read which.</p>
${linePlot(time.pace, axis, { unit: 'messages per second' })}
<h2>Faults</h2>${faultPlot(axis)}${notMade(summary)}
<h2>Time to an answer</h2><p class="soft">Milliseconds from a request to its answer, over every way in; logarithmic.</p>
${linePlot(time.latency, axis, { unit: 'milliseconds', logarithmic: true })}
<h2>Waiting mail</h2><p class="soft">Accepted, and no receiver has it yet: for the cap, for a retry, or because of a fault.</p>
${linePlot(time.waiting, axis, { unit: 'messages' })}
<h2>How it stood at the end</h2>${ends(summary)}
<h2>Admissions against caps</h2>
<p class="soft">Bars: messages that receivers saw of a domain on a UTC day. Line: that day’s cap.</p>
<div class="caps">${caps(summary)}</div>
<h2>Requests</h2>${requests(summary)}
</html>
`;
}

function head(summary: Summary, machine: Machine): string {
  const { seed, minutes, commit, bug, days, calendar_days: count, started_at, passed, counts } = summary;
  const verdict = passed
    ? '<span class="passed">every promise was kept</span>'
    : `<span class="failed">promises were broken</span>`;
  const tiles = Object.entries(counts).map(
    ([name, count]) => `<span><b>${count.toLocaleString('en')}</b>${name.replaceAll('_', ' ')}</span>`,
  );
  const stores = Object.entries(machine.stores).map(([name, version]) => `${name} ${version ?? '?'}`);
  return `<h1>Proof: ${verdict}</h1>
<p>Begun ${escape(started_at)}, commit <code>${escape(commit)}</code>${bug === null ? '' : `, with the planted bug <code>${escape(bug)}</code>`}.
The calendar went from ${days[0]} to ${days[1]}, which is ${count} days. The same faults again: <code>npm run prove -- --minutes ${minutes} --seed ${seed}</code></p>
<p class="soft">${escape([machine.system, machine.cpus, `${machine.memory_mib} MiB`, `node ${machine.node}`, ...stores].join(' · '))}</p>
<div class="tiles">${tiles.join('')}</div>${leftOut(summary)}`;
}

function leftOut({ left_out: all }: Summary): string {
  if (all.length === 0) return '';
  const items = all.map((what) => `<li>${escape(what)}</li>`);
  return `<h2>Left out, and so not proved</h2><ul>${items.join('')}</ul>`;
}

function notMade({ not_met: all }: Summary): string {
  if (all.length === 0) return '<p class="soft">Every kind of fault met every target that it has.</p>';
  const kinds = all.map(({ name, targets }) => `${name} ${targets.join(', ')}`);
  return `<p class="soft">Not met in this run: ${escape(kinds.join('; '))}.</p>`;
}

function promises({ rules }: Summary): string {
  const rows = RULES.map(
    (rule) =>
      `<tr><td>${rule}</td><td>${PROMISES[rule]}</td><td class="${rules[rule] === 0 ? 'passed' : 'failed'}">${rules[rule] === 0 ? 'kept' : `${rules[rule]} findings`}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}

function findings({ findings: all, findings_left_off: leftOff }: Summary): string {
  if (all.length === 0) return '';
  const rows = all
    .slice(0, SHOWN_FINDINGS)
    .map(
      ({ rule, about, what }) => `<tr><td>${rule}</td><td>${escape(about)}</td><td>${escape(what)}</td></tr>`,
    );
  const more = Math.max(0, all.length - SHOWN_FINDINGS) + leftOff;
  return `<h2>Findings</h2><table>${rows.join('')}</table>${more > 0 ? `<p>${more} more are in the JSON, as far as it holds them.</p>` : ''}`;
}

function ends({ ends: all }: Summary): string {
  const rows = all.map(
    ({ status, reason, messages }) =>
      `<tr><td>${escape(status)}</td><td>${escape(reason ?? '')}</td><td class="number">${messages}</td></tr>`,
  );
  return `<table><tr><th>status</th><th>reason</th><th class="number">messages</th></tr>${rows.join('')}</table>`;
}

function caps({ domain_days: days }: Summary): string {
  const byDomain = Map.groupBy(days, ({ domain }) => domain);
  return [...byDomain].map(([domain, of]) => capPlot(domain, of)).join('');
}

function requests({ requests: all }: Summary): string {
  const rows = all.map(
    ({ via, taken, refused, unknown }) =>
      `<tr><td>${escape(via)}</td>${[taken, refused, unknown].map((count) => `<td class="number">${count}</td>`).join('')}</tr>`,
  );
  return `<table><tr><th>way in</th><th class="number">accepted</th><th class="number">refused</th><th class="number">no answer</th></tr>${rows.join('')}</table>`;
}
