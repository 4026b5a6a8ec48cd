// Alerts, dashboard and documentation speak of metrics that are there; and each alert fires when its fault is replayed, alone,
// as Prometheus itself evaluates it (promtool).

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

import { ROUTES } from '../../../api/rest/routes.ts';
import { metricNames, metricsIn } from '../../harness/metric-names.ts';
import { skips } from '../../harness/needs.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'deploy/monitoring');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const rules = parse(read('deploy/monitoring/alerts.yaml')) as {
  groups: { rules: { alert: string; labels: { severity: string }; annotations: { summary: string } }[] }[];
};
const alerts = rules.groups.flatMap((group) => group.rules);
const NO_PROMTOOL = spawnSync('promtool', ['--version']).error
  ? 'promtool is missing (Debian: prometheus)'
  : null;

test.each(['alerts.yaml', 'dashboard.json', 'adapter.yaml'])(
  '%s names only metrics that are exported',
  (file) => {
    const named = [...metricsIn(read(`deploy/monitoring/${file}`))];
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((name) => !metricNames().has(name))).toEqual([]);
  },
);

test('every metric is on the dashboard or in an alert, and those of the documentation exist', () => {
  const seen = metricsIn(read('deploy/monitoring/dashboard.json') + read('deploy/monitoring/alerts.yaml'));
  expect([...metricNames()].filter((name) => !seen.has(name))).toEqual(['postrider_job_last_slot_seconds']);
  const told = [...metricsIn(read('docs/operating.md'))];
  expect(told.filter((name) => !metricNames().has(name))).toEqual([]);
});

test('a route that is named is one of REST', () => {
  const text = read('deploy/monitoring/alerts.yaml') + read('deploy/monitoring/dashboard.json');
  const named = new Set([...text.matchAll(/route=\\?"([^"\\]+)/g)].map((match) => match[1]!));
  expect([...named]).toEqual(['/transactional/send']);
  expect(ROUTES.map(({ method, path }) => `${method} ${path}`)).toContain('POST /transactional/send');
});

// An hour of health, then an hour of the fault; a sample a minute.
const HOUR = 60;
const flat = (value: number | string) => `${value}x${2 * HOUR}`;
const step = (before: number | string, then: number | string) => `${before}x${HOUR} ${then}x${HOUR}`;
const counts = (before: number, then: number) =>
  `0+${before}x${HOUR} ${before * HOUR + then}+${then}x${HOUR}`;
const gone = `1x${HOUR} _x${HOUR}`;

const HEALTH: Record<string, string> = {
  ...Object.fromEntries(
    [
      ['api', 'api:9464'],
      ['sender', 'sender:9465'],
      ['inbound', 'inbound:9466'],
      ['scheduler', 'scheduler:9467'],
    ].flatMap(([service, instance]) => {
      const labels = `{job="postrider", service="${service}", instance="${instance}"}`;
      return [
        [`up{job="postrider", instance="${instance}"}`, flat(1)],
        [`process_start_time_seconds${labels}`, flat(1)],
        [`nodejs_eventloop_lag_p99_seconds${labels}`, flat(0.02)],
      ];
    }),
  ),
  ...buckets(
    'postrider_api_request_seconds',
    'method="POST", route="/transactional/send", status="202"',
    '0.1',
    counts(600, 600),
  ),
  'postrider_api_request_seconds_count{method="POST", route="/transactional/send", status="202"}': counts(
    600,
    600,
  ),
  'postrider_api_request_seconds_count{method="POST", route="/transactional/send", status="503"}': counts(
    0,
    0,
  ),
  'postrider_submission_replies_total{reply="250 2.0.0"}': counts(60, 60),
  'postrider_submission_replies_total{reply="452 4.3.1"}': counts(0, 0),
  'postrider_delivery_outcomes_total{outcome="delivered", stream="bulk"}': counts(600, 600),
  'postrider_delivery_outcomes_total{outcome="bounced", stream="bulk"}': counts(6, 6),
  'postrider_delivery_attempts_total{esp="direct", outcome="delivered", class="none"}': counts(600, 600),
  'postrider_delivery_attempts_total{esp="direct", outcome="deferred", class="mailbox_full"}': counts(60, 60),
  postrider_delivery_in_hand: flat(40),
  postrider_delivery_unrecorded: flat(3),
  postrider_delivery_fenced_total: counts(0, 0),
  'postrider_job_next_slot_seconds{exported_job="ramp"}': flat(24 * 3600),
  'postrider_job_runs_total{exported_job="ramp", result="failed"}': counts(0, 0),
  'postrider_events_waiting_seconds{instance="inbound:9466"}': flat(0),
  'postrider_webhook_attempts_total{outcome="accepted"}': counts(60, 60),
  'postrider_webhook_attempts_total{outcome="pending"}': counts(6, 6),
  postrider_system_mail_waiting: flat(0),
  postrider_operations_notices_waiting: flat(0),
  'postrider_inbound_scans_total{verdict="not_scanned", reason="timeout"}': counts(0, 0),
  ...buckets('postrider_inbound_scan_seconds', '', '1', counts(60, 60)),
};

function buckets(name: string, labels: string, le: string, values: string): Record<string, string> {
  const all = labels === '' ? '' : `${labels}, `;
  return {
    [`${name}_bucket{${all}le="${le}"}`]: values,
    [`${name}_bucket{${all}le="5"}`]: values,
    [`${name}_bucket{${all}le="+Inf"}`]: values,
  };
}

const START = 'process_start_time_seconds{job="postrider", service="sender", instance="sender:9465"}';
const SEND =
  'postrider_api_request_seconds_bucket{method="POST", route="/transactional/send", status="202", le="0.1"}';

/** What differs from health in the second hour. */
const FAULTS: Record<string, Record<string, string>> = {
  PostriderProcessDown: { 'up{job="postrider", instance="sender:9465"}': step(1, 0) },
  PostriderServiceGone: { [START]: gone },
  PostriderRestarts: { [START]: `1x${HOUR} 100+60x${HOUR}` },
  PostriderEventLoopSlow: {
    'nodejs_eventloop_lag_p99_seconds{job="postrider", service="api", instance="api:9464"}': step(0.02, 0.9),
  },
  PostriderSendSlow: { [SEND]: counts(600, 500) },
  PostriderApiErrors: {
    'postrider_api_request_seconds_count{method="POST", route="/transactional/send", status="503"}': counts(
      0,
      30,
    ),
  },
  PostriderSubmissionRefuses: { 'postrider_submission_replies_total{reply="452 4.3.1"}': counts(0, 120) },
  PostriderBounces: {
    'postrider_delivery_outcomes_total{outcome="bounced", stream="bulk"}': counts(6, 200),
  },
  PostriderDeferred: {
    'postrider_delivery_attempts_total{esp="direct", outcome="delivered", class="none"}': counts(600, 0),
  },
  PostriderNothingLeaves: {
    'postrider_delivery_outcomes_total{outcome="delivered", stream="bulk"}': counts(600, 0),
    'postrider_delivery_outcomes_total{outcome="bounced", stream="bulk"}': counts(6, 0),
  },
  PostriderOutcomesUnrecorded: { postrider_delivery_unrecorded: step(3, 5000) },
  PostriderLeasesLost: { postrider_delivery_fenced_total: counts(0, 60) },
  PostriderJobMissed: { 'postrider_job_next_slot_seconds{exported_job="ramp"}': step(24 * 3600, 3600) },
  PostriderJobFails: { 'postrider_job_runs_total{exported_job="ramp", result="failed"}': counts(0, 1) },
  PostriderEventsWait: {
    'postrider_events_waiting_seconds{instance="inbound:9466"}': `0x${HOUR} 60+60x${HOUR}`,
  },
  PostriderWebhooksFail: { 'postrider_webhook_attempts_total{outcome="pending"}': counts(6, 200) },
  PostriderSystemMailWaits: { postrider_system_mail_waiting: step(0, 4) },
  PostriderNoticesWait: { postrider_operations_notices_waiting: step(0, 1) },
  PostriderNotScanned: {
    'postrider_inbound_scans_total{verdict="not_scanned", reason="timeout"}': counts(0, 10),
  },
  PostriderScanSlow: { 'postrider_inbound_scan_seconds_bucket{le="1"}': counts(60, 30) },
};

test('every alert has a fault that is replayed, and tells what to look at', () => {
  expect(alerts.map(({ alert }) => alert)).toEqual(Object.keys(FAULTS));
  for (const { labels, annotations } of alerts) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(20);
  }
});

const FIRING = 'count by (alertname) (ALERTS{alertstate="firing"})';

test.skipIf(skips(NO_PROMTOOL))('health fires nothing, and each fault fires its alert alone', async () => {
  const folder = await tempFolder();
  const tests = Object.entries(FAULTS).map(([alert, fault]) => ({
    name: alert,
    interval: '1m',
    input_series: Object.entries({ ...HEALTH, ...fault }).map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      { expr: FIRING, eval_time: '60m', exp_samples: [] },
      { expr: FIRING, eval_time: '115m', exp_samples: [{ labels: `{alertname="${alert}"}`, value: 1 }] },
    ],
  }));
  const file = join(folder, 'alerts.test.yaml');
  writeFileSync(
    file,
    stringify({ rule_files: [join(FOLDER, 'alerts.yaml')], evaluation_interval: '1m', tests }),
  );
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  execFileSync('promtool', ['check', 'config', join(FOLDER, 'prometheus.yaml')], { stdio: 'pipe' });
});
