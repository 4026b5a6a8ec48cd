// The REST parts: k6 against a real api process over HTTPS.

import type { Figure } from './figure.ts';
import { readMetric, runK6 } from './k6-run.ts';
import type { Bench } from './stack/bench.ts';
import { costPerMessage, readCpuTimes } from './stack/cpu-time.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { startWorker } from './worker.ts';

const LIMIT_SECONDS = 59;
const QUICK_LIMIT_SECONDS = 15;
const STEPS = [32, 128]; // users
const STEP_SECONDS = 8;
const QUICK_STEP_SECONDS = 4;
const MIX_SECONDS = 15;
const QUICK_MIX_SECONDS = 5;
const ACCEPTED_PER_SECOND = 1_500;
const P99_MS = 25;

/** Part "send-path": one key at its limit. */
export async function measureSendPath(bench: Bench): Promise<Figure[]> {
  const stack = await startStack(bench, { api: true, part: 'send-path' });
  const seconds = bench.options.quick ? QUICK_LIMIT_SECONDS : LIMIT_SECONDS;
  try {
    const summary = await runK6(bench, stack, 'send-path', { SECONDS: `${seconds}` });
    const duration = 'http_req_duration{scenario:limit}';
    const requests = readMetric(summary, 'http_reqs{scenario:limit}', 'count');
    const detail = `${requests} requests in ${seconds} s, delivery running`;
    const figure = (name: string, statistic: string): Omit<Figure, 'target'> => ({
      id: `send-path.${name}`,
      what: `REST send at 600/min, ${name}`,
      value: readMetric(summary, duration, statistic),
      unit: 'ms',
    });
    return [
      { ...figure('p99', 'p(99)'), detail, target: { atMost: P99_MS } },
      figure('median', 'med'),
      {
        id: 'send-path.errors',
        what: 'Requests not accepted',
        value: readMetric(summary, 'refused', 'count'),
        unit: '',
        target: { atMost: 0 },
      },
    ];
  } finally {
    await stack.close();
  }
}

/** Part "saturation": the most that is accepted, while mail is delivered and while it is not. */
export async function measureSaturation(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  let bare = 0;
  for (const holdMail of [true, false]) {
    const stack = await startStack(bench, { api: true, holdMail, part: 'saturation' });
    try {
      if (bare === 0) bare = await saturateBare(bench, stack);
      const before = await readCpuTimes(bench, stack);
      const best = await saturate(bench, stack);
      const cost = costPerMessage(before, await readCpuTimes(bench, stack), best.acceptedInAll);
      const what = holdMail
        ? 'REST sends accepted, delivery held back'
        : 'REST sends accepted, delivery running';
      const id = holdMail ? 'saturation.accepting' : 'saturation.delivering';
      const detail = `best of ${STEPS.join(', ')} users: ${best.users}, p99 ${best.p99.toFixed(0)} ms`;
      bench.log(`${what}: ${Math.round(best.perSecond)}/s (${detail}); CPU ms each: ${cost.text}`);
      figures.push(
        {
          id,
          what,
          detail,
          value: best.perSecond,
          unit: '/s',
          target: { atLeast: ACCEPTED_PER_SECOND },
          raw: { what: 'bare node:https that answers 202, same load', value: bare, unit: '/s' },
        },
        {
          id: `${id}.cpu`,
          what: 'CPU time of each',
          detail: cost.text,
          value: cost.ms,
          unit: 'ms',
          parts: cost.parts,
        },
      );
      if (best.refused > 0)
        bench.log(`note: ${best.refused} requests were not accepted; see .local/bench/log`);
    } finally {
      await stack.close();
    }
  }
  return figures;
}

/** Part "mixed-templates". */
export async function measureMix(bench: Bench): Promise<Figure[]> {
  const stack = await startStack(bench, { api: true, part: 'mixed-templates' });
  const seconds = bench.options.quick ? QUICK_MIX_SECONDS : MIX_SECONDS;
  try {
    const summary = await runK6(bench, stack, 'mixed-templates', { SECONDS: `${seconds}` });
    const p99 = (kind: string) => readMetric(summary, `http_req_duration{kind:${kind}}`, 'p(99)').toFixed(0);
    return [
      {
        id: 'mixed.messages',
        what: 'Messages accepted, half by template, 9 single sends to a batch of 50',
        detail: `p99 single ${p99('single')} ms, batch ${p99('batch')} ms, delivery running`,
        value: readMetric(summary, 'accepted', 'count') / seconds,
        unit: '/s',
      },
      {
        id: 'mixed.errors',
        what: 'Requests not accepted',
        value: readMetric(summary, 'refused', 'count'),
        unit: '',
        target: { atMost: 0 },
      },
    ];
  } finally {
    await stack.close();
  }
}

interface Step {
  users: number;
  perSecond: number;
  p99: number;
  refused: number;
  /** Over all steps. */
  acceptedInAll: number;
}

async function saturate(bench: Bench, stack: Stack): Promise<Step> {
  const seconds = bench.options.quick ? QUICK_STEP_SECONDS : STEP_SECONDS;
  const summary = await runK6(bench, stack, 'saturation', { STEPS: STEPS.join(','), SECONDS: `${seconds}` });
  const steps = STEPS.map((users) => ({
    users,
    perSecond: readMetric(summary, `accepted{scenario:users${users}}`, 'count') / seconds,
    p99: readMetric(summary, `http_req_duration{scenario:users${users}}`, 'p(99)'),
    refused: readMetric(summary, 'refused', 'count'),
    acceptedInAll: readMetric(summary, 'accepted', 'count'),
  }));
  return steps.reduce((best, step) => (step.perSecond > best.perSecond ? step : best));
}

// The same load on a server that does nothing: what Node's HTTPS and k6 leave room for on this machine.
async function saturateBare(bench: Bench, stack: Stack): Promise<number> {
  const worker = startWorker('bare-https');
  try {
    const port = await worker.ask<number>('start', { certFile: stack.certFile, keyFile: stack.keyFile });
    const { perSecond } = await saturate(bench, { ...stack, apiUrl: `https://localhost:${port}` });
    bench.log(`a bare node:https server under the same load: ${Math.round(perSecond)}/s`);
    return perSecond;
  } finally {
    await worker.stop();
  }
}
