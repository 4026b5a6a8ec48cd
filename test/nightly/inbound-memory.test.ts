// What hostile mail costs in memory, it costs for a while only: inbound and its parsers come back to what they had.

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createContext, type Context } from '../harness/context.ts';
import { makeAccount } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { HOSTILE_MAIL } from '../harness/hostile-mail.ts';
import { sendMail, until } from '../harness/inbound-world.ts';
import { startService, type Service } from '../harness/service.ts';

const ALLOWED_MB = 64;
const SETTLE_MS = 90_000;
const ROUNDS = longForm(1, 2); // 2 were measured too
const AT_A_TIME = 4;

let context: Context;
let inbound: Service;
let to: string;

beforeAll(async () => {
  context = await createContext();
  inbound = await startService('inbound', context.env);
  to = `bob@${(await makeAccount(context.db)).domain}`;
});
afterAll(async () => {
  await inbound.stop();
  await context.close();
});

test(`after hostile mail inbound and its parsers have at most ${ALLOWED_MB} MB more than before`, async () => {
  for (let n = 0; n < 200; n++) await accepted(`From: a@b.test\r\nSubject: ${n}\r\n\r\nHello.\r\n`);
  await read(200);
  const before = residentMb();
  const mails = Array.from({ length: ROUNDS }, () => Object.values(HOSTILE_MAIL)).flat();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb())), 200);
  const next = mails.values();
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (const make of next) await accepted(make());
    }),
  );
  await read(200 + mails.length);
  clearInterval(watch);
  let after = residentMb();
  const atOnce = after;
  const settled = async () => (after = residentMb()) - before < ALLOWED_MB;
  await until(settled, { limitMs: SETTLE_MS }).catch(() => {});
  console.log(
    `inbound and parsers: ${before} MB before, ${peak} at most, ${atOnce} right after, ${after} settled`,
  );
  expect(after - before).toBeLessThan(ALLOWED_MB);
  // And they still read.
  await accepted('From: a@b.test\r\nSubject: last\r\n\r\nHello.\r\n');
  await read(201 + mails.length);
}, 600_000);

async function accepted(data: string): Promise<void> {
  const reply = await sendMail(Number(inbound.env['INBOUND_SMTP_PORT']), { to, data });
  expect(reply).toMatch(/^250/);
}

/** Waits until so many messages are read. */
async function read(count: number): Promise<void> {
  await until(
    async () => {
      const { rows } = await context.db.pool.query('select count(*)::int as n from inbound_contents');
      return rows[0].n >= count;
    },
    { limitMs: 240_000 },
  );
}

/** What inbound and the processes that it started have in memory, with what they share. */
function residentMb(): number {
  const status = (pid: number | string, field: string) => {
    try {
      return Number(
        new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
      );
    } catch {
      return 0; // it has ended
    }
  };
  const children = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && status(pid, 'PPid') === inbound.pid,
  );
  const kB = [inbound.pid, ...children].reduce<number>((sum, pid) => sum + status(pid, 'VmRSS'), 0);
  return Math.round(kB / 1024);
}
