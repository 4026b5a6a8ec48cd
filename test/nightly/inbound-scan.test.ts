// Inbound mail judged by a real rspamd: what it says is stored and told, domains decide what comes of it, and mail is never lost or
// late because the scanner is away. docs/crashes-inbound.md has the row of the kill between scan and store.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { SCAN_LIMIT_MS } from '../../core/clients/rspamd.ts';
import { listInbound } from '../../core/inbound/message-store.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { startClamd, EICAR, type Clamd } from '../harness/clamd.ts';
import {
  hook,
  makeAccount,
  openAnother,
  openWorld,
  sendMail,
  startEndpoint,
  until,
  type Endpoint,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import type { Account } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';
import { GTUBE, rspamdMissing, startRspamd, SUSPICIOUS, type Rspamd } from '../harness/rspamd.ts';
import { startService } from '../harness/service.ts';
import { login, makePerson } from '../harness/sign-in.ts';

const MARGIN_MS = 5_000; // for a busy machine
const FEW = { before: null, limit: 10 };

let clamd: Clamd;
let rspamd: Rspamd;
let api: ApiWorld;
let world: InboundWorld;
let endpoint: Endpoint;
const toClose: (() => Promise<unknown> | void)[] = [];

const mail = (text: string) =>
  `From: Ann <ann@sender.test>\r\nTo: bob@here.test\r\nSubject: scan\r\nMessage-ID: <a@sender.test>\r\n\r\n${text}\r\n`;

async function accountWith(policy: 'keep' | 'mark' | 'refuse'): Promise<Account & { to: string }> {
  const account = await makeAccount(world.context.db);
  const text = 'update domains set spam_policy = $2 where id = $1';
  await world.context.db.pool.query(text, [account.domainId, policy]);
  return { ...account, to: `bob@${account.domain}` };
}

/** The only message of an account, once it is read. */
const messageOf = ({ tenantId }: Account) =>
  until(async () => (await listInbound(world.context.db.pool, tenantId, FEW))[0]);
const hitsOf = (account: { to: string }) =>
  endpoint.hits.filter((hit) => hit.headers['x-svc-inbound-recipient'] === account.to);
const count = async (table: string, { tenantId }: Account) =>
  (await world.context.db.pool.query(`select from ${table} where tenant_id = $1`, [tenantId])).rowCount;

/** A scanner that answers everything so, and what it was asked with. */
async function startFake(status: number, body: string) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    request.resume().on('end', () => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  toClose.push(
    () => void server.close(),
    () => server.closeAllConnections(),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** The SMTP port of another inbound, with a scanner of its own. */
async function inboundWith(url: string, more: { RSPAMD_PASSWORD?: string } = {}): Promise<number> {
  const inbound = await openAnother(world, { RSPAMD_URL: url, ...more });
  toClose.push(() => inbound.stop());
  return inbound.port;
}

describe.skipIf(skips(rspamdMissing()))('rspamd', () => {
  beforeAll(async () => {
    clamd = await startClamd();
    rspamd = await startRspamd(clamd.port);
    api = await createApiWorld({ RSPAMD_URL: rspamd.url });
    world = await openWorld({}, api.context);
    endpoint = await startEndpoint(() => ({ status: 200 }));
  });
  afterEach(async () => {
    for (const close of toClose.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await world?.close();
    await api?.close();
    await endpoint?.close();
    await rspamd?.stop();
    clamd?.close();
  });

  test('spam is kept by default, and its verdict is told', async () => {
    const account = await accountWith('keep');
    await hook(world, account, endpoint.url);
    expect(await sendMail(world.port, { to: account.to, data: mail(GTUBE) })).toMatch(/^250/);
    const { scan, junk } = await messageOf(account);
    expect(junk).toBe(false);
    expect(scan).toEqual({
      verdict: 'spam',
      reason: null,
      score: 15,
      required_score: 15,
      action: 'reject',
      virus: null,
      symbols: [{ name: 'GTUBE', score: 0 }],
    });
    const [hit] = await until(() => (hitsOf(account).length > 0 ? hitsOf(account) : null));
    expect(hit!.headers['x-svc-inbound-scan']).toBe(
      'verdict=spam; junk=no; score=15; required=15; action=reject; symbols=GTUBE:0',
    );
    expect(hit!.body.toString()).toBe(mail(GTUBE));
  });

  test('REST and GraphQL change the policy and show the verdict, with an entry in the audit log', async () => {
    const account = await accountWith('keep');
    const scopes = ['mail:read', 'domains:read', 'domains:write'];
    const { key } = await api.makeKey({ tenantId: account.tenantId, scopes });
    const path = `/mail/domains/${toId('dom', account.domainId)}`;
    expect((await api.call('GET', path, { key })).json.data.spam_policy).toBe('keep');
    expect((await api.call('PATCH', path, { key, body: { spam_policy: 'burn' } })).status).toBe(422);
    const changed = await api.call('PATCH', path, { key, body: { spam_policy: 'mark' } });
    expect(changed.json.data.spam_policy).toBe('mark');
    const { rows } = await world.context.db.pool.query(
      "select data from audit_log where tenant_id = $1 and action = 'domain.changed'",
      [account.tenantId],
    );
    expect(rows).toEqual([{ data: { spamPolicy: 'mark' } }]);

    await until(async () => {
      await sendMail(world.port, { to: account.to, data: mail(GTUBE) });
      return (await messageOf(account)).junk; // inbound may see the change a second late
    });
    const id = toId('inm', (await messageOf(account)).id);
    const shown = (await api.call('GET', `/mail/messages/${id}`, { key })).json.data;
    expect(shown).toMatchObject({ junk: true, scan: { verdict: 'spam', action: 'reject', score: 15 } });
    const { token } = await login(api, await makePerson(api, 'viewer', { tenantId: account.tenantId }));
    const query = `query ($id: ID!) { inboundMessage(id: $id) {
      junk scan { verdict reason score requiredScore action virus symbols { name score } } } }`;
    const { json } = await api.graphql(query, { id }, { key: token });
    const { required_score: requiredScore, ...rest } = shown.scan;
    expect(json.data.inboundMessage).toEqual({ junk: true, scan: { ...rest, requiredScore } });
  });

  test('ordinary mail is clean, with the rules that matched, the largest score first', async () => {
    const account = await accountWith('refuse');
    expect(await sendMail(world.port, { to: account.to, data: mail('Hello') })).toMatch(/^250/);
    const { scan, junk } = await messageOf(account);
    expect({ verdict: scan?.verdict, action: scan?.action, junk }).toEqual({
      verdict: 'clean',
      action: 'no action',
      junk: false,
    });
    expect(scan!.symbols.length).toBeGreaterThan(3);
    expect(scan!.symbols.length).toBeLessThanOrEqual(10);
    const scores = scan!.symbols.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(rspamd.log()).toContain('from: <ann@sender.test>');
  });

  test('mail that rspamd rejects is refused where the domain says so, and other spam is junk there', async () => {
    const account = await accountWith('refuse');
    await hook(world, account, endpoint.url);
    expect(await sendMail(world.port, { to: account.to, data: mail(GTUBE) })).toMatch(/^550 5\.7\.1 /);
    expect(await count('inbound_raws', account)).toBe(0);
    expect(await sendMail(world.port, { to: account.to, data: mail(SUSPICIOUS) })).toMatch(/^250/);
    const { scan, junk } = await messageOf(account);
    expect({ verdict: scan?.verdict, action: scan?.action, junk }).toEqual({
      verdict: 'spam',
      action: 'add header',
      junk: true,
    });
    const [hit] = await until(() => (hitsOf(account).length > 0 ? hitsOf(account) : null));
    expect(hit!.headers['x-svc-inbound-scan']).toContain('verdict=spam; junk=yes; ');
  });

  test('a domain that marks has spam and viruses as junk, and can list them apart', async () => {
    const account = await accountWith('mark');
    for (const text of [GTUBE, EICAR, 'Hello'])
      expect(await sendMail(world.port, { to: account.to, data: mail(text) })).toMatch(/^250/);
    const { pool } = world.context.db;
    await until(async () => (await listInbound(pool, account.tenantId, FEW)).length === 3);
    const verdicts = async (junk: boolean) =>
      (await listInbound(pool, account.tenantId, { ...FEW, junk })).map(({ scan }) => scan?.verdict);
    expect(await verdicts(true)).toEqual(['virus', 'spam']);
    expect(await verdicts(false)).toEqual(['clean']);
  });

  test('a virus is named, and refused with 554 where the domain says so', async () => {
    const keeps = await accountWith('keep');
    expect(await sendMail(world.port, { to: keeps.to, data: mail(EICAR) })).toMatch(/^250/);
    const { scan } = await messageOf(keeps);
    expect(scan).toMatchObject({ verdict: 'virus', virus: 'Eicar-Test-Signature' });
    const refuses = await accountWith('refuse');
    expect(await sendMail(world.port, { to: refuses.to, data: mail(EICAR) })).toMatch(
      /^554 5\.7\.1 .*Eicar-Test-Signature/,
    );
    expect(await count('inbound_raws', refuses)).toBe(0);
  });

  test('large mail is scanned as it is stored, chunk by chunk, and leaves nothing when it is refused', async () => {
    const account = await accountWith('refuse');
    const filler = 'a line of a large message\r\n'.repeat(20_000);
    const data = mail(`${filler}${EICAR}\r\n${filler}`);
    expect(await sendMail(world.port, { to: account.to, data })).toMatch(/^554 5\.7\.1 /);
    const { rows } = await world.context.db.pool.query(
      'select (select count(*)::int from inbound_uploads) as uploads, (select count(*)::int from inbound_chunks c where not exists (select from inbound_raws r where r.id = c.raw_id)) as chunks',
    );
    expect(rows).toEqual([{ uploads: 0, chunks: 0 }]);
    const clean = mail(`${filler}${filler}`);
    expect(await sendMail(world.port, { to: account.to, data: clean })).toMatch(/^250/);
    expect((await messageOf(account)).scan?.verdict).toBe('clean');
  });

  test('one message for a domain that keeps and one that refuses: both have it, one as junk that is not delivered', async () => {
    const [keeps, refuses] = [await accountWith('keep'), await accountWith('refuse')];
    for (const account of [keeps, refuses]) await hook(world, account, endpoint.url);
    const to = [refuses.to, keeps.to];
    expect(await sendMail(world.port, { to, data: mail(GTUBE) })).toMatch(/^250/);
    expect((await messageOf(keeps)).junk).toBe(false);
    expect((await messageOf(refuses)).junk).toBe(true);
    await until(() => hitsOf(keeps).length === 1);
    expect(await count('webhook_deliveries', refuses)).toBe(0);
    const alike = [refuses.to, (await accountWith('refuse')).to];
    expect(await sendMail(world.port, { to: alike, data: mail(GTUBE) })).toMatch(/^550/);
  });

  test.each([
    ['garbage', 200, 'no JSON', 'bad_answer'],
    ['JSON of somebody else', 200, '{"score":"many","action":7}', 'bad_answer'],
    ['more than is read', 200, `{"x":"${'x'.repeat(2_000_000)}"}`, 'bad_answer'],
    ['an error', 500, '{}', 'error'],
  ])('a scanner that answers %s: mail is accepted', async (_what, status, body, reason) => {
    const fake = await startFake(status, body);
    const account = await accountWith('refuse');
    const port = await inboundWith(fake.url, { RSPAMD_PASSWORD: 'open-sesame' });
    expect(await sendMail(port, { to: account.to, data: mail(GTUBE) })).toMatch(/^250/);
    expect((await messageOf(account)).scan).toMatchObject({ verdict: 'not_scanned', reason });
    expect(fake.asked).toHaveLength(1);
    expect(fake.asked[0]).toMatchObject({
      password: 'open-sesame',
      ip: '127.0.0.1',
      helo: 'client.test',
      from: '<ann@sender.test>',
      rcpt: `<${account.to}>`,
      'queue-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('greylisting is not for us: such mail is clean', async () => {
    const body = JSON.stringify({ score: 5, required_score: 15, action: 'greylist', symbols: {} });
    const fake = await startFake(200, body);
    const account = await accountWith('refuse');
    expect(await sendMail(await inboundWith(fake.url), { to: account.to, data: mail('Hello') })).toMatch(
      /^250/,
    );
    expect((await messageOf(account)).scan).toMatchObject({ verdict: 'clean', action: 'greylist' });
  });

  test('inbound is killed between scan and store: the client comes again, nothing is lost', async () => {
    const account = await accountWith('keep');
    const start = (more: Record<string, string>) =>
      startService('inbound', { ...world.context.env, ...more });
    const doomed = await start({ TEST_FAILPOINTS: 'inbound.after-scan' });
    const portOf = ({ env }: typeof doomed) => Number(env['INBOUND_SMTP_PORT']);
    const reply = await sendMail(portOf(doomed), { to: account.to, data: mail(GTUBE) });
    expect(await doomed.ended).toBe('SIGKILL');
    expect(reply).not.toMatch(/^250/);
    expect(await count('inbound_raws', account)).toBe(0);
    const survivor = await start({});
    expect(await sendMail(portOf(survivor), { to: account.to, data: mail(GTUBE) })).toMatch(/^250/);
    expect((await messageOf(account)).scan?.verdict).toBe('spam');
    const metrics = await (await fetch(`${survivor.metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/postrider_inbound_scans_total\{verdict="spam",reason="",.*\} 1/);
    expect(metrics).toMatch(/postrider_inbound_scan_seconds_count\{.*\} 1/);
    await survivor.stop();
  });

  test('a frozen rspamd: mail is accepted within the limit', async () => {
    const account = await accountWith('refuse');
    const port = await inboundWith(rspamd.url);
    rspamd.signal('SIGSTOP');
    toClose.push(() => rspamd.signal('SIGCONT'));
    const startedAt = performance.now();
    expect(await sendMail(port, { to: account.to, data: mail(GTUBE) })).toMatch(/^250/);
    expect(performance.now() - startedAt).toBeLessThan(SCAN_LIMIT_MS + MARGIN_MS);
    expect((await messageOf(account)).scan).toMatchObject({ verdict: 'not_scanned', reason: 'timeout' });
  });

  test('rspamd is killed: mail is accepted at once, it is not asked for a while, and then it is asked again', async () => {
    const account = await accountWith('refuse');
    const { pool } = world.context.db;
    const reasons = async () =>
      (await listInbound(pool, account.tenantId, FEW)).map(({ scan }) => scan?.reason).toReversed();
    await rspamd.kill();
    for (let i = 0; i < 4; i++)
      expect(await sendMail(world.port, { to: account.to, data: mail(GTUBE) })).toMatch(/^250/);
    await until(async () => (await reasons()).length === 4);
    expect(await reasons()).toEqual(['unreachable', 'unreachable', 'unreachable', 'paused']);
    await rspamd.start();
    const refused = async () =>
      (await sendMail(world.port, { to: account.to, data: mail(GTUBE) })).startsWith('550');
    await until(refused);
  });
});
