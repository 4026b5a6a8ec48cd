// Part "compat": what an adapter of another service costs the api beside the plain route, in CPU of that one process:
// the same mail in blocks that take turns, so that whatever the machine does meanwhile falls on all of them.

import { Agent, request } from 'node:https';
import { readFileSync } from 'node:fs';

import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { readCpuTimes } from './stack/cpu-time.ts';
import { startStack, type Stack } from './stack/stack.ts';

const ROUNDS = 12;
const QUICK_ROUNDS = 4;
const BLOCK = 1_000; // requests: about 40 ticks of CPU, which /proc counts in 10 ms
const IN_FLIGHT = 32;
const REQUESTS_PER_KEY = 500; // a key has 600 a minute
const EXTRA_MS = 0.2;

interface Mail {
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
}

/** One way to send the same mail. */
interface Way {
  name: string;
  path: string;
  headers: (key: string) => Record<string, string>;
  body: (mail: Mail) => unknown;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const PLAIN: Way = {
  name: 'plain',
  path: '/api/v1/transactional/send',
  headers: bearer,
  body: (mail) => mail,
};
const ADAPTERS: readonly Way[] = [
  { name: 'resend', path: '/compat/resend/emails', headers: bearer, body: (mail) => mail },
  {
    name: 'sendgrid',
    path: '/compat/sendgrid/v3/mail/send',
    headers: bearer,
    body: ({ from, to, subject, html, text }) => ({
      personalizations: [{ to: [{ email: to }] }],
      from: { email: from },
      subject,
      content: [
        { type: 'text/plain', value: text },
        { type: 'text/html', value: html },
      ],
    }),
  },
  {
    name: 'postmark',
    path: '/compat/postmark/email',
    headers: (key) => ({ 'x-postmark-server-token': key }),
    body: ({ from, to, subject, html, text }) => ({
      From: from,
      To: to,
      Subject: subject,
      HtmlBody: html,
      TextBody: text,
    }),
  },
];

/** Runs the part. */
export async function measureCompat(bench: Bench): Promise<Figure[]> {
  const stack = await startStack(bench, { api: true, holdMail: true, part: 'compat' });
  const load = createLoad(stack);
  const ways = [PLAIN, ...ADAPTERS];
  const spent = new Map(ways.map(({ name }) => [name, 0]));
  try {
    for (const way of ways) await load.run(way); // warm
    const rounds = bench.options.quick ? QUICK_ROUNDS : ROUNDS;
    for (let round = 0; round < rounds; round++) {
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
        const before = await readCpuTimes(bench, stack);
        await load.run(way);
        const after = await readCpuTimes(bench, stack);
        spent.set(way.name, spent.get(way.name)! + (after['api'] ?? 0) - (before['api'] ?? 0));
      }
    }
    const each = (name: string) => (spent.get(name)! * 1_000) / (rounds * BLOCK);
    bench.log(
      `CPU ms of the api each: ${ways.map(({ name }) => `${name} ${each(name).toFixed(3)}`).join(', ')}`,
    );
    return ADAPTERS.map(({ name }) => ({
      id: `compat.${name}`,
      what: `/compat/${name}: CPU of the api for a send, beyond the plain route`,
      detail: `${each(name).toFixed(2)} ms beside ${each('plain').toFixed(2)}, ${rounds * BLOCK} sends each`,
      value: each(name) - each('plain'),
      unit: 'ms',
      target: { atMost: EXTRA_MS },
    }));
  } finally {
    load.close();
    await stack.close();
  }
}

function createLoad(stack: Stack) {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT, ca: readFileSync(stack.caFile) });
  const senders = stack.seed.tenants.flatMap(({ keys, domains }) =>
    keys.map((key) => ({ key, from: `orders@${domains[0]}` })),
  );
  let sent = 0;

  async function send(way: Way): Promise<void> {
    const { key, from } = senders[Math.floor(sent++ / REQUESTS_PER_KEY) % senders.length]!;
    const mail = {
      from,
      to: `customer${sent}@mail1.test`,
      subject: 'Your order is on its way',
      html: '<p>It left our warehouse <b>this morning</b>.</p>',
      text: 'It left our warehouse this morning.',
    };
    const status = await post(new URL(way.path, stack.apiUrl), agent, way.headers(key), way.body(mail));
    if (status >= 300) throw new Error(`${way.path} answered ${status}`);
  }

  return {
    /** One block of requests. */
    async run(way: Way): Promise<void> {
      let left = BLOCK;
      const client = async () => {
        while (left-- > 0) await send(way);
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, client));
    },
    close: () => agent.destroy(),
  };
}

function post(url: URL, agent: Agent, headers: Record<string, string>, body: unknown): Promise<number> {
  const text = JSON.stringify(body);
  const options = {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}
