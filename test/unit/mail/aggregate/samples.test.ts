// parsedmarc's samples give the totals that parsedmarc reads in them (test/fixtures/aggregate-reports/totals.py), as they are
// and packed.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

import { readAggregate, readReportFile } from '../../../../core/mail/aggregate/read-aggregate.ts';
import type { AggregateReport } from '../../../../core/mail/aggregate/report.ts';
import { writeReport, type TlsSessions } from '../../../../core/transport/tls-report.ts';
import { makeZip } from '../../../harness/aggregate-mail.ts';

interface Totals {
  type: string;
  domains: string[];
  passed: number;
  failed: number;
  sources?: number;
}

const FOLDER = join(import.meta.dirname, '../../../fixtures/aggregate-reports');
const totals = JSON.parse(readFileSync(join(FOLDER, 'totals.json'), 'utf8')) as Record<string, Totals>;
const samples = Object.entries(totals);

const sum = (reports: AggregateReport[], of: 'passed' | 'failed') =>
  reports.reduce((total, one) => total + one[of], 0);

function toTotals(reports: AggregateReport[]): Totals {
  const [first] = reports;
  const sources = new Set(first?.sources.map(({ source }) => source)).size;
  return {
    type: first?.type ?? 'none',
    domains: reports.map(({ domain }) => domain).sort(),
    passed: sum(reports, 'passed'),
    failed: sum(reports, 'failed'),
    ...(first?.type === 'dmarc' && { sources }),
  };
}

test('every sample has its totals', () => {
  const files = readdirSync(FOLDER, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .flatMap(({ name }) => readdirSync(join(FOLDER, name)).map((file) => `${name}/${file}`));
  expect(samples.map(([name]) => name)).toEqual(files.sort());
});

test.each(samples)('%s', async (name, expected) => {
  const bytes = readFileSync(join(FOLDER, name));
  if (name.endsWith('.eml')) {
    const { reports, problem } = await readAggregate(bytes);
    expect(problem).toBeNull();
    expect(toTotals(reports)).toEqual(expected);
    return;
  }
  const ways = [bytes, gzipSync(bytes), makeZip([bytes]), makeZip([Buffer.from('hello'), gzipSync(bytes)])];
  for (const way of ways) expect(toTotals((await readReportFile(way))!)).toEqual(expected);
});

test('a TLS report as we write it ourselves', async () => {
  const of = {
    day: '2026-11-20',
    domain: 'shop.example',
    policyType: 'sts',
    policy: [],
    mxPatterns: [],
  } as const;
  const none = { mx: '', ip: '', ourIp: '', reason: '' };
  const rows = [
    { ...of, ...none, result: '', sessions: 9 },
    {
      ...of,
      mx: 'mx.shop.example',
      ip: '192.0.2.1',
      ourIp: '192.0.2.2',
      reason: 'CERT_HAS_EXPIRED',
      result: 'certificate-expired',
      sessions: 2,
    },
  ] as unknown as TlsSessions[];
  const reporter = { domain: 'us.example', contact: 'tls@us.example' };
  expect(await readReportFile(Buffer.from(writeReport(reporter, of.day, of.domain, rows)))).toMatchObject([
    {
      reporter: 'us.example',
      domain: 'shop.example',
      total: 11,
      passed: 9,
      failed: 2,
      sources: [
        {
          source: '192.0.2.2',
          result: 'certificate-expired',
          reason: 'CERT_HAS_EXPIRED',
          receiving_mx: 'mx.shop.example',
        },
      ],
    },
  ]);
});
