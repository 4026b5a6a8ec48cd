// kill -9 of inbound at every named step: every 250 has its row, every row its delivery, attempts are counted exactly and
// none is early. docs/crashes-inbound.md has a row for each step.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAILPOINTS, type Failpoint } from '../../core/base/failpoint.ts';
import { createGuardedHttp, type GuardedHttp } from '../../core/clients/guarded-http.ts';
import { dmarcXml, reportMail } from '../harness/aggregate-mail.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount } from '../harness/factories.ts';
import { someOf } from '../harness/form.ts';
import { startService, type Service } from '../harness/service.ts';
import { dsnReport } from '../harness/report-mail.ts';
import { hook, makeSent, sendMail, startEndpoint, until, type Endpoint } from '../harness/inbound-world.ts';

const SETTINGS = { WORKER_LEASE_MS: '500', TEST_RETRY_SCALE: '0.01', LOG_LEVEL: 'warn' };
const DATA = 'From: a@b.test\r\nSubject: crash\r\n\r\nBody\r\n';

let context: Context;
let http: GuardedHttp;
let endpoint: Endpoint;

beforeAll(async () => {
  context = await createContext(SETTINGS);
  http = createGuardedHttp(context.config);
  endpoint = await startEndpoint(() => ({ status: 200 }));
});
afterAll(async () => {
  await endpoint.close();
  await http.close();
  await context.close();
});

const start = (step?: Failpoint) =>
  startService('inbound', { ...context.env, ...(step === undefined ? {} : { TEST_FAILPOINTS: step }) });
const portOf = (service: Service) => Number(service.env['INBOUND_SMTP_PORT']);
const rows = async (text: string, values: unknown[]) => (await context.db.pool.query(text, values)).rows;
const STEPS = (prefix: RegExp) => FAILPOINTS.filter((step) => prefix.test(step));

/** An account whose webhook is the endpoint. */
async function hooked() {
  const account = await makeAccount(context.db);
  await hook({ context, http } as never, account, endpoint.url);
  return { account, to: `bob@${account.domain}` };
}

test.each(someOf(STEPS(/^inbound\.(before-commit|after-commit|after-reply)$/)))(
  'killed at %s',
  async (step) => {
    const { account, to: tenant } = await hooked();
    const to = [tenant, 'postmaster'];
    const before = endpoint.hits.length;
    const kept = async () => (await rows('select id from postmaster_mails', [])).length;
    const keptBefore = await kept();
    const doomed = await start(step);
    const reply = await sendMail(portOf(doomed), { to, data: DATA });
    expect(await doomed.ended).toBe('SIGKILL');
    const stored = await rows('select id from inbound_messages where tenant_id = $1', [account.tenantId]);
    if (reply.startsWith('250')) expect(stored).toHaveLength(1);
    expect(stored).toHaveLength(step === 'inbound.before-commit' ? 0 : 1);

    const survivor = await start();
    // A client that got no answer sends again; after the commit that makes it two, each delivered once (RFC 1047).
    if (step === 'inbound.before-commit')
      expect(await sendMail(portOf(survivor), { to, data: DATA })).toMatch(/^250/);
    expect(await kept()).toBe(keptBefore + (step === 'inbound.before-commit' ? 2 : 1));
    const [delivery] = await until(async () => {
      const found = await rows(
        "select * from webhook_deliveries where tenant_id = $1 and state = 'accepted'",
        [account.tenantId],
      );
      return found.length === 1 ? found : null;
    });
    expect(delivery.attempts).toBeGreaterThanOrEqual(1);
    const hits = endpoint.hits.slice(before);
    expect(hits.every((hit) => hit.body.toString() === DATA)).toBe(true);
    expect(hits.length).toBeGreaterThanOrEqual(1);
    expect(await rows('select 1 from inbound_uploads', [])).toEqual([]);
    await survivor.stop();
  },
);

test.each(someOf(STEPS(/^inbound\.(before|after)-route$/)))('killed at %s', async (step) => {
  const account = await makeAccount(context.db);
  const sent = await makeSent(context, account);
  const doomed = await start(step);
  const data = dsnReport(sent.rcptTo, '5.1.1', '550 5.1.1 User unknown');
  expect(await sendMail(portOf(doomed), { from: '', to: sent.returnPath, data })).toMatch(/^250/);
  expect(await doomed.ended).toBe('SIGKILL');
  const survivor = await start();
  // Instead of waiting a minute for the claim of the dead process to run out.
  await context.db.pool.query('update inbound_raws set work_due_at = now() where work_due_at is not null');
  await until(async () => {
    const [row] = await rows('select work_due_at from inbound_raws where tenant_id = $1', [account.tenantId]);
    return row.work_due_at === null;
  });
  expect(await rows('select type from events where message_id = $1', [sent.id])).toEqual([
    { type: 'bounced' },
  ]);
  expect(await rows('select state from messages where id = $1', [sent.id])).toEqual([{ state: 'bounced' }]);
  await survivor.stop();
});

test.each(someOf(STEPS(/^inbound\.(before|after)-route$/)))(
  'an aggregate report counts once, killed at %s',
  async (step) => {
    const account = await makeAccount(context.db);
    const doomed = await start(step);
    const data = reportMail('dmarc@receiver.test', Buffer.from(dmarcXml(account.domain)));
    const to = `dmarc@bounces.${account.domain}`;
    expect(await sendMail(portOf(doomed), { to, data })).toMatch(/^250/);
    expect(await doomed.ended).toBe('SIGKILL');
    const survivor = await start();
    await context.db.pool.query('update inbound_raws set work_due_at = now() where work_due_at is not null');
    await until(async () => {
      const found = await rows('select outcome from inbound_messages where tenant_id = $1', [
        account.tenantId,
      ]);
      return found[0]?.outcome === 'dmarc report';
    });
    expect(await rows('select total from domain_reports where tenant_id = $1', [account.tenantId])).toEqual([
      { total: '3' },
    ]);
    await survivor.stop();
  },
);

test.each(someOf(STEPS(/^webhook\./)))(
  'killed at %s',
  async (step) => {
    const { account, to } = await hooked();
    const before = endpoint.hits.length;
    const doomed = await start(step);
    await sendMail(portOf(doomed), { to, data: DATA });
    expect(await doomed.ended).toBe('SIGKILL');
    const claimed = await rows(
      `select d.state, d.attempts, a.started_at, d.claimed_until from webhook_deliveries d
       join webhook_attempts a on a.delivery_id = d.id where d.tenant_id = $1`,
      [account.tenantId],
    );
    expect(claimed).toHaveLength(1);
    expect(claimed[0].attempts).toBe(1);
    const first = step === 'webhook.after-claim' ? 5 : 1; // the gap after attempt 5 is 6 h, here 216 s
    for (const set of ['webhook_deliveries set attempts', 'webhook_attempts set attempt'])
      await rows(`update ${set} = $2 where tenant_id = $1`, [account.tenantId, first]);

    const survivor = await start();
    await until(async () => {
      const [row] = await rows('select state from webhook_deliveries where tenant_id = $1', [
        account.tenantId,
      ]);
      return row.state === 'accepted';
    });
    const made = await rows(
      `select attempt, started_at, ended_at, status_code from webhook_attempts where tenant_id = $1
       order by attempt`,
      [account.tenantId],
    );
    const numbers = endpoint.hits.slice(before).map((hit) => Number(hit.headers['x-svc-inbound-attempt']));
    if (step === 'webhook.after-record') {
      expect(made).toHaveLength(1);
      expect(numbers).toEqual([1]);
    } else {
      expect(made.map((one) => one.attempt)).toEqual([first, first + 1]);
      expect(numbers).toEqual(step === 'webhook.after-claim' ? [6] : [1, 2]);
      // Not before the claim ran out, plus the gap after attempt 1 (30 s, here 300 ms), whichever attempt was cut off.
      expect(made[1].started_at.getTime()).toBeGreaterThanOrEqual(claimed[0].claimed_until.getTime() + 300);
    }
    await survivor.stop();
  },
  70_000,
);
