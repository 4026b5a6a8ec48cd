import { connect } from 'node:net';
import { expect, test } from 'vitest';

import { renderProfile, summarize } from '../../../bench/cpu-profile.ts';
import { medianBetween } from '../../../bench/memory.ts';
import { readCallsPerSecond } from '../../../bench/redis-benchmark.ts';
import { startSink } from '../../../bench/stack/sink.ts';

function node(id: number, functionName: string, children: number[] = [], url = '') {
  return { id, callFrame: { functionName, url, lineNumber: 9 }, children };
}

test('a profile is summed up by function, with and without what it called', () => {
  const root = new URL('../../../sender/accept/accept.ts', import.meta.url).href;
  const summary = summarize({
    nodes: [
      node(1, '(root)', [2, 5]),
      node(2, 'outer', [3], root),
      node(3, 'inner', [4]),
      node(4, 'outer', [], root),
      node(5, '(idle)'),
    ],
    samples: [2, 3, 4, 5],
    timeDeltas: [1000, 2000, 4000, 8000],
  });
  expect(summary).toMatchObject({ busyMs: 7, idleMs: 8 });
  expect(summary.functions).toContainEqual({
    name: 'outer sender/accept/accept.ts:10',
    selfMs: 5,
    totalMs: 7,
  });
  expect(summary.functions).toContainEqual({ name: 'inner', selfMs: 2, totalMs: 6 });
  const lines = renderProfile('sender', summary);
  expect(lines[0]).toBe('sender: busy 0.0 s, idle 0.0 s');
  expect(lines[2]).toContain('71.4 %       5 ms  outer sender/accept/accept.ts:10');
});

test('the rate of redis-benchmark is read even when the command in front holds commas', () => {
  const csv = [
    '"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"',
    '"EVALSHA abc 2 a,b c","85674.47","1.779","0.096","1.799","2.1","3.2","4.5"',
  ].join('\n');
  expect(readCallsPerSecond(csv)).toBe(85_674.47);
  expect(() => readCallsPerSecond('ERR wrong')).toThrow(/redis-benchmark said/);
});

test('memory is the median of a stretch of the run', () => {
  const samples = [10, 90, 20, 30, 80].map((mb, n) => ({ at: n / 4, mb }));
  expect(medianBetween(samples, 0, 0.5)).toBe(20);
  expect(medianBetween(samples, 2, 3)).toBeNaN();
});

test('the sink accepts pipelined mail, counts final dots and keeps a sample', async () => {
  const sink = await startSink();
  try {
    const answers = await converse(sink.smtpPort, [
      'EHLO bench.test\r\n',
      'MAIL FROM:<a@b.test>\r\nRCPT TO:<c@d.test>\r\nDATA\r\n',
      'Subject: one\r\n\r\nhello\r\n.\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<c@d.test>\r\nDATA\r\n',
      'Subject: two\r\n\r\nhello\r\n.\r\n',
      'QUIT\r\n',
    ]);
    expect(answers.match(/^354/gm)).toHaveLength(2);
    expect(answers.match(/taken/g)).toHaveLength(2);
    expect(answers).toMatch(/221 .*\r\n$/);
    expect(await sink.counts()).toMatchObject({ messages: 2, connections: 1 });
    expect(await sink.samples()).toEqual(['Subject: one\r\n\r\nhello\r\n', 'Subject: two\r\n\r\nhello\r\n']);
  } finally {
    await sink.stop();
  }
});

// Says the next thing whenever the peer answered, and returns all that it said.
function converse(port: number, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => {
      said += chunk.toString();
      const next = lines.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(said));
  });
}
