// Administration from the command line: what it makes works, and mistakes are reported.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sha256 } from '../../core/base/secrets.ts';
import { selectLiveAdminToken } from '../../core/key/admin-token-store.ts';
import { selectLiveKey } from '../../core/key/key-store.ts';
import { resetPassword } from '../../core/people/password-reset.ts';
import { verifyPassword } from '../../core/people/password.ts';
import { selectUser } from '../../core/people/membership-store.ts';
import { selectSecondFactor } from '../../core/people/second-factor-store.ts';
import { selectPerson } from '../../core/people/user-store.ts';
import { COMMANDS } from '../../cli/commands.ts';
import { openCli } from '../../cli/open.ts';
import { runCli } from '../../cli/run-cli.ts';
import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { testBucket } from '../harness/test-database.ts';

const CLI = join(import.meta.dirname, '../../cli/main.ts');
const start = promisify(execFile);

let context: Context;
beforeAll(async () => {
  context = await createContext({ SENDER_ADDRESSES: '127.0.0.1:1', PUBLIC_URL: 'https://api.test' });
});
afterAll(() => context.close());

async function cli(line: string, env: Record<string, string> = context.env, typed = '', isTerminal = false) {
  let out = '';
  let err = '';
  const code = await runCli(line.split(' ').filter(Boolean), {
    env,
    out: (text) => (out += text),
    err: (text) => (err += text),
    readSecret: () => Promise.resolve(typed),
    isTerminal,
  });
  return { code, out, err };
}
async function answer(line: string): Promise<Record<string, string>> {
  const { code, out, err } = await cli(`${line} --json`);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Record<string, string>;
}

test('a tenant, a key, a person and a token, as one object each', async () => {
  const { pool } = context.db;
  const { tenant_id: tenant } = await answer('tenant create --name Acme --plan pro');
  expect(tenant).toMatch(/^tnt_[0-9a-z]{26}$/);

  const key = await answer(
    `key create --tenant ${tenant} --name web --scopes transactional:send,events:read`,
  );
  expect(key).toEqual({
    key_id: expect.stringMatching(/^key_/),
    api_key: expect.stringMatching(/^sk_live_/),
  });
  const live = await selectLiveKey(pool, sha256(key['api_key'] ?? ''));
  expect(live).toMatchObject({
    tenant: { name: 'Acme', plan: 'pro' },
    key: { scopes: ['transactional:send', 'events:read'] },
  });
  const limits = '--expires 2999-01-31T08:00:00Z --allow 203.0.113.7,2001:db8::/32';
  const limited = await answer(`key create --tenant ${tenant} --name job --scopes events:read ${limits}`);
  expect(await selectLiveKey(pool, sha256(limited['api_key'] ?? ''))).toMatchObject({
    isExpired: false,
    key: {
      expiresAt: new Date('2999-01-31T08:00:00Z'),
      allowedAddresses: ['203.0.113.7', '2001:db8::/32'],
    },
  });
  expect(await answer(`key revoke ${key['key_id']}`)).toEqual({ key_id: key['key_id'], revoked: true });
  expect(await selectLiveKey(pool, sha256(key['api_key'] ?? ''))).toBeNull();

  const user = await answer(`user create --tenant ${tenant} --email Ann@Example.com --role owner`);
  expect(user).toEqual({ user_id: expect.stringMatching(/^usr_/), password: expect.any(String) });
  const stored = await selectPerson(pool, 'ann@example.com');
  expect(await verifyPassword(user['password'] ?? '', stored?.passwordHash ?? null)).toBe(true);
  const { tenant_id: second } = await answer('tenant create --name Other --plan free');
  const add = `user create --tenant ${second} --email ann@example.com --role viewer`;
  const again = await cli(`${add} --password-stdin`, context.env, 'another-long-password');
  expect(again).toMatchObject({
    code: 1,
    err: expect.stringContaining('already has an account and a password'),
  });
  expect(await answer(add)).toEqual({ user_id: user['user_id'], password: null });
  const uuid = fromId('tnt', second)!;
  expect(await selectUser(pool, uuid, { email: 'ann@example.com' })).toMatchObject({ role: 'viewer' });
  expect(await selectPerson(pool, 'ann@example.com')).toEqual(stored);

  const reset = 'user reset-second-factor --email ANN@example.com';
  expect(await cli(reset)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has not set up two-factor'),
  });
  await pool.query(
    "insert into second_factors (user_id, sealed_secret, confirmed_at) values ($1, '', now())",
    [stored!.id],
  );
  expect(await answer(reset)).toEqual({ user_id: user['user_id'] });
  expect(await selectSecondFactor(pool, stored!.id)).toBeNull();

  const { token } = await answer('admin token');
  expect(await selectLiveAdminToken(pool, sha256(token ?? ''))).toMatchObject({ name: 'operator' });
});

test('admin tokens are listed, expire and are revoked', async () => {
  const { pool } = context.db;
  const live = async (token = '') => (await selectLiveAdminToken(pool, sha256(token))) !== null;
  const kept = await answer('admin token --name kept');
  const ending = await answer('admin token --name ending --expires 2999-01-31T08:00:00Z');
  expect(kept).toEqual({
    token: expect.stringMatching(/^sa_live_/),
    token_id: expect.stringMatching(/^adm_[0-9a-z]{26}$/),
  });
  const { items } = JSON.parse((await cli('admin list --json')).out) as { items: { name: string }[] };
  expect(items.filter(({ name }) => ['kept', 'ending'].includes(name))).toEqual([
    {
      ...{ token_id: ending['token_id'], name: 'ending', created_at: expect.any(String) },
      ...{ expires_at: '2999-01-31T08:00:00.000Z', revoked_at: null },
    },
    {
      ...{ token_id: kept['token_id'], name: 'kept', created_at: expect.any(String) },
      ...{ expires_at: null, revoked_at: null },
    },
  ]);
  for (const { token } of [kept, ending]) expect(JSON.stringify(items)).not.toContain(token);
  expect((await cli('admin list')).out).toContain(
    `${ending['token_id']}  ending  expires 2999-01-31T08:00:00.000Z`,
  );

  expect(await live(ending['token'])).toBe(true);
  await pool.query("update admin_tokens set expires_at = now() where name = 'ending'");
  expect(await live(ending['token'])).toBe(false);
  expect((await cli('admin list')).out).toContain(`${ending['token_id']}  ending  expired `);
  expect(await cli('admin token --expires 2020-01-31T08:00:00Z')).toMatchObject({
    code: 1,
    err: expect.stringContaining('expires_at must be in the future'),
  });

  expect(await answer(`admin revoke ${kept['token_id']}`)).toEqual({
    token_id: kept['token_id'],
    revoked: true,
  });
  expect(await live(kept['token'])).toBe(false);
  expect((await cli('admin list')).out).toContain(`${kept['token_id']}  kept  revoked `);
  for (const id of [kept['token_id'], 'nonsense'])
    expect(await cli(`admin revoke ${id}`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/No such admin token/),
    });
  const { rows } = await pool.query('select action from audit_log where subject = $1 order by id', [
    kept['token_id'],
  ]);
  expect(rows).toEqual([{ action: 'admin_token.created' }, { action: 'admin_token.revoked' }]);
});

test('no command takes a password on its line: it is read from standard input, or a link sets it', async () => {
  const { pool } = context.db;
  for (const { name, options } of COMMANDS)
    for (const [option, { value }] of Object.entries(options))
      if (/password|secret/.test(option)) expect([name, option, value]).toEqual([name, option, undefined]);
  const { tenant_id: tenant } = await answer('tenant create --name Acme --plan free');
  const create = `user create --tenant ${tenant} --role owner --email`;
  expect(await cli(`${create} a@example.com --password x`)).toMatchObject({ code: 2 });
  const made = await cli(`${create} bea@example.com --password-stdin`, context.env, 'a long enough password');
  expect(made.code).toBe(0);
  expect(made.out).not.toContain('a long enough password');
  const hashOf = async () => (await selectPerson(pool, 'bea@example.com'))?.passwordHash ?? null;
  expect(await verifyPassword('a long enough password', await hashOf())).toBe(true);

  const { link } = await answer('user set-password BEA@example.com');
  expect(link).toMatch(/^https:\/\/api\.test\/reset-password\/[\w-]{43}$/);
  expect((await cli('user set-password bea@example.com')).out).toContain('/reset-password/');
  const newest = await answer('user set-password bea@example.com');
  const use = (url = '') =>
    resetPassword(
      context.db,
      { token: url.split('/').at(-1)!, password: 'another long password' },
      '192.0.2.1',
    );
  await expect(use(link)).rejects.toMatchObject({ code: 'not_found' }); // a newer one replaced it
  await use(newest['link']);
  expect(await verifyPassword('another long password', await hashOf())).toBe(true);
  const { rows } = await pool.query(
    "select actor, action from audit_log where tenant_id = $1 and action like 'user.password%' order by id",
    [fromId('tnt', tenant)],
  );
  expect(rows.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    ...['cli', 'cli', 'cli'].map((by) => `${by} user.password_reset_asked`),
    expect.stringMatching(/^usr_.* user\.password_reset$/),
  ]);
  const typed = (line: string, password: string) => cli(line, context.env, password, true);
  expect(await typed('user set-password bea@example.com', 'short')).toMatchObject({ code: 1 });
  const set = await typed('user set-password bea@example.com', 'a typed long password');
  expect(set).toMatchObject({ code: 0, out: expect.not.stringMatching(/reset-password|typed/) });
  expect(await verifyPassword('a typed long password', await hashOf())).toBe(true);
  expect((await typed('user set-password bea@example.com --json', 'not asked for')).out).toContain('link');
  expect(await cli('user set-password nobody@example.com')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/No such person/),
  });
  await pool.query("update users set password_hash = null where email = 'bea@example.com'");
  expect(await cli('user set-password bea@example.com')).toMatchObject({
    code: 1,
    err: expect.stringContaining('they sign in with SSO'),
  });
});

test('tenants are listed, put on another plan, suspended and reactivated; people are listed', async () => {
  const { tenant_id: tenant } = await answer('tenant create --name Listed --plan free');
  const { user_id: user } = await answer(
    `user create --tenant ${tenant} --email lis@example.com --role owner`,
  );
  const items = async (line: string) => (await answer(line))['items'] as unknown as Record<string, unknown>[];
  const shown = { tenant_id: tenant, name: 'Listed', plan: 'free', status: 'active', suspended_at: null };
  expect(await items('tenant list --name listed')).toMatchObject([shown]);
  expect(await items(`user list --tenant ${tenant}`)).toMatchObject([
    { user_id: user, email: 'lis@example.com', memberships: [{ tenant_id: tenant, role: 'owner' }] },
  ]);
  expect((await items('user list')).length).toBeGreaterThan(1);
  expect((await cli('user list')).out).toContain(`lis@example.com  owner of ${tenant}`);
  expect(await answer(`tenant plan ${tenant} scale`)).toMatchObject({ tenant_id: tenant, plan: 'scale' });
  expect(await answer(`tenant suspend ${tenant}`)).toMatchObject({ tenant_id: tenant, status: 'suspended' });
  expect(await items('tenant list --status suspended')).toMatchObject([{ tenant_id: tenant }]);
  expect((await cli('tenant list')).out).toContain(`${tenant}  suspended  scale`);
  expect(await answer(`tenant reactivate ${tenant}`)).toMatchObject({ tenant_id: tenant, status: 'active' });
  const { rows } = await context.db.pool.query(
    "select actor, action, data from audit_log where tenant_id = $1 and action like 'tenant.%' order by id",
    [fromId('tnt', tenant)],
  );
  expect(rows.slice(1)).toEqual([
    { actor: 'cli', action: 'tenant.plan_changed', data: { from: 'free', to: 'scale' } },
    { actor: 'cli', action: 'tenant.suspended', data: {} },
    { actor: 'cli', action: 'tenant.reactivated', data: {} },
  ]);
  const refused: [string, number, RegExp][] = [
    [`tenant reactivate ${tenant}`, 1, /is not suspended/],
    [`tenant plan ${tenant} gold`, 1, /plan must be one of/],
    ['tenant suspend tnt_00000000000000000000000000', 1, /No such tenant/],
    ['tenant suspend nonsense', 1, /No such tenant/],
    ['tenant list --status asleep', 2, /--status must be one of active, suspended/],
  ];
  for (const [line, code, reason] of refused)
    expect(await cli(line)).toMatchObject({ code, err: expect.stringMatching(reason) });
});

test('a paused domain is resumed, once, under its history and audit log', async () => {
  const { tenantId, domainId, domain } = await makeAccount(context.db, { tier: 2 });
  const { pool } = context.db;
  await pool.query(`update domains set warmup_state = 'paused', paused_reason = 'bounces' where id = $1`, [
    domainId,
  ]);
  const line = `domain resume ${domain} --tenant ${toId('tnt', tenantId)}`;
  const resumed = { domain_id: toId('dom', domainId), domain, tier: 2, cap: 250, state: 'active' };
  expect(await answer(line)).toEqual(resumed);
  const { rows } = await pool.query(
    `select h.actor, h.action, a.actor as audited from warmup_history h
     join audit_log a on a.tenant_id = h.tenant_id and a.action = 'warmup.resume' where h.domain_id = $1`,
    [domainId],
  );
  expect(rows).toEqual([{ actor: 'cli', action: 'resume', audited: 'cli' }]);
  expect(await cli(line)).toMatchObject({ code: 1, err: expect.stringContaining('is not paused') });
  const other = toId('tnt', (await makeAccount(context.db)).tenantId);
  expect(await cli(`domain resume ${domain} --tenant ${other}`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/No such domain/),
  });
});

test('an empty database gets the schema, however often it is asked for', async () => {
  const name = `${new URL(context.env['DATABASE_URL']!).pathname.slice(1)}_new`;
  const url = new URL(context.env['DATABASE_URL']!);
  url.pathname = `/${name}`;
  await context.db.pool.query(`create database ${name}`);
  try {
    const env = { ...context.env, DATABASE_URL: url.toString() };
    for (const _ of [1, 2]) {
      const { code, out } = await cli('database migrate --json', env);
      expect([code, JSON.parse(out)]).toEqual([0, { migrated: true }]);
    }
    expect((await cli('tenant create --name First --plan free', env)).code).toBe(0);
  } finally {
    await context.db.pool.query(`drop database ${name} with (force)`);
  }
});

test('a job runs by the clock that it was given, however often', async () => {
  const line = 'job run verify-domains --now 2026-01-31T12:00:00Z';
  for (let i = 0; i < 2; i++)
    expect(await answer(line)).toMatchObject({
      job: 'verify-domains',
      slot: '2026-01-31T04:00:00.000Z',
      ran: true,
    });
  expect(await cli('job run nonsense --json')).toMatchObject({
    code: 1,
    err: expect.stringContaining('validation_failed'),
  });
  expect(await cli('job run verify-domains --now yesterday')).toMatchObject({
    code: 2,
    err: expect.stringContaining('2026-01-31T02:00:00Z'),
  });
});

test('refusals end with 1 and say why, usage mistakes with 2 and how to do it', async () => {
  const refused: [string, RegExp][] = [
    ['tenant create --name Acme --plan gold', /plan must be one of free, starter, pro, scale/],
    ['key create --tenant tnt_00000000000000000000000000 --name x --scopes events:read', /No such tenant/],
    ['key create --tenant nonsense --name x --scopes events:read', /No such tenant/],
    ['key revoke key_00000000000000000000000000', /No such API key/],
    [
      'key create --tenant tnt_00000000000000000000000000 --name x --scopes events:read --allow 203.0.113.7/24',
      /allowed_addresses\[0\] has bits behind its prefix; the block is 203.0.113.0\/24/,
    ],
  ];
  for (const [line, reason] of refused)
    expect(await cli(line)).toMatchObject({ code: 1, err: expect.stringMatching(reason), out: '' });
  const mistaken: [string, RegExp][] = [
    ['tenant delete', /no command "tenant delete"/],
    [
      'tenant create --name Acme',
      /--plan PLAN is missing\nusage: npm run cli -- tenant create --name NAME --plan PLAN/,
    ],
    ['tenant create --name Acme --plan pro --colour red', /--colour/],
    ['key revoke', /KEY is missing/],
    ['key revoke a b', /unexpected argument "b"/],
    ['user create --tenant t --email e@x.y --role king', /--role must be one of/],
  ];
  for (const [line, reason] of mistaken)
    expect(await cli(line)).toMatchObject({ code: 2, err: expect.stringMatching(reason), out: '' });
  const { err } = await cli('tenant create --name Acme --plan gold --json');
  expect(JSON.parse(err)).toMatchObject({ error: 'validation_failed', details: [{ path: 'plan' }] });
});

test('help for everything and for one command', async () => {
  const all = await cli('--help');
  expect(all.code).toBe(0);
  for (const name of [
    'tenant create',
    'tenant list',
    'tenant suspend',
    'tenant reactivate',
    'tenant plan',
    'domain resume',
    'user list',
    'key create',
    'key revoke',
    'user create',
    'user reset-second-factor',
    'user set-password',
    'admin token',
    'admin list',
    'admin revoke',
    'bucket add',
    'bucket list',
    'job run',
  ])
    expect(all.out).toContain(name);
  expect(await cli('')).toMatchObject({ code: 2 });
  expect(await cli('key create --help')).toMatchObject({
    code: 0,
    out: expect.stringContaining('--scopes A,B'),
  });
});

test('a database that is unavailable is said to be, without a stack', async () => {
  const { code, err } = await cli('admin token', { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect(code).toBe(1);
  expect(err).toMatch(/^the database is temporarily unavailable.*ECONNREFUSED/i);
  expect(err).not.toMatch(/\n {4}at /);
});

test('without DATABASE_URL it uses the npm start that runs here, and says so when there is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'));
  await expect(openCli({}, folder)).rejects.toThrow(/DATABASE_URL.*npm start/);
  const connection = {
    base_url: 'https://localhost:8443/api/v1',
    grpc_address: '127.0.0.1:50051',
    ca_file: 'ca.pem',
    inbound_smtp: { host: '127.0.0.1', port: 2525 },
    simulator: { smtp_port: 1, dns_port: 5354, http_port: 3 },
    database_url: context.env['DATABASE_URL'],
    redis_url: context.env['REDIS_URL'],
    nats_url: context.env['NATS_URL'],
  };
  const secrets = { master_key: context.env['MASTER_KEY'], internal_token: context.env['INTERNAL_TOKEN'] };
  await writeFile(join(folder, 'connection.json'), JSON.stringify(connection));
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets));
  const deps = await openCli({}, folder);
  expect(deps.config()).toMatchObject({
    SENDER_ADDRESSES: ['127.0.0.1:50051'],
    DNS_SERVERS: ['127.0.0.1:5354'],
    PUBLIC_URL: 'https://localhost:8443',
  });
  expect((await deps.db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await deps.db.close();
  await rm(folder, { recursive: true });
});

test('as a process of its own: one line of JSON on stdout, exit codes', async () => {
  const env = { PATH: process.env['PATH'] ?? '', ...context.env };
  const { stdout } = await start(
    process.execPath,
    [CLI, 'tenant', 'create', '--name', 'Ümlaut GmbH', '--plan', 'free', '--json'],
    { env },
  );
  expect(JSON.parse(stdout)).toEqual({ tenant_id: expect.stringMatching(/^tnt_/), bucket: testBucket() });
  await expect(start(process.execPath, [CLI, 'nonsense'], { env })).rejects.toMatchObject({ code: 2 });
});

test('as a process, a password comes from standard input', async () => {
  const { tenant_id: tenant } = await answer('tenant create --name Acme --plan free');
  const env = { PATH: process.env['PATH'] ?? '', ...context.env };
  const args = ['user', 'create', '--tenant', tenant!, '--email', 'stdin@example.com', '--role', 'viewer'];
  const running = start(process.execPath, [CLI, ...args, '--password-stdin', '--json'], { env });
  running.child.stdin!.end('typed behind a pipe\nand nothing else\n');
  expect(JSON.parse((await running).stdout)).toMatchObject({ password: null });
  const stored = await selectPerson(context.db.pool, 'stdin@example.com');
  expect(await verifyPassword('typed behind a pipe', stored?.passwordHash ?? null)).toBe(true);
});

test('the addresses that mail leaves from', async () => {
  const pools = [
    { name: 'main', sources: [{ address: '192.0.2.1', hostname: 'a.example.com', warmup: true }] },
  ];
  const env = { ...context.env, EGRESS_POOLS: JSON.stringify(pools) };
  expect(await cli('sources', env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('main  192.0.2.1  a.example.com  tier 0, 0 of 50 today'),
  });
  expect((await cli('sources')).out).toContain('EGRESS_POOLS names no address');
});

test('buckets: made, listed, closed and opened; a tenant comes to the one that is named, or to the emptiest open one', async () => {
  const own = await createContext({ SENDER_ADDRESSES: '127.0.0.1:1' });
  const command = (line: string) => cli(line, own.env);
  const list = async () =>
    (JSON.parse((await command('bucket list --json')).out) as { buckets: { name: string }[] }).buckets;
  const create = async (more: string) => {
    const { code, out, err } = await command(`tenant create --name Acme --plan pro ${more} --json`);
    if (code !== 0) throw new Error(err);
    return JSON.parse(out) as { tenant_id: string; bucket: string };
  };
  try {
    await command('bucket open public');
    for (const { name } of await list()) if (name !== 'public') await command(`bucket close ${name}`);
    expect(await list()).toContainEqual({ name: 'public', open: true, tenants: 0 });
    expect(await create('')).toMatchObject({ bucket: 'public' });

    for (const _ of [1, 2]) {
      const { code, out } = await command('bucket add east');
      expect([code, out]).toEqual([0, 'The bucket east is there and open.\n']);
    }
    expect(await create('')).toMatchObject({ bucket: 'east' });
    for (const _ of [1, 2]) expect(await create('--bucket east')).toMatchObject({ bucket: 'east' });
    expect(await create('')).toMatchObject({ bucket: 'public' });
    const lines = (await command('bucket list')).out.split('\n');
    expect(lines).toEqual(expect.arrayContaining(['east: 3 tenants, open', 'public: 2 tenants, open']));

    expect((await command('bucket close public')).out).toBe('The bucket public is closed.\n');
    expect(await create('')).toMatchObject({ bucket: 'east' });
    expect(await create('--bucket public'), 'who names a closed one means it').toMatchObject({
      bucket: 'public',
    });
    expect(await command('bucket close east')).toMatchObject({
      code: 2,
      err: expect.stringContaining('east is the only open bucket: add or open another one first'),
    });
    expect((await command('bucket open public --json')).out).toBe('{"bucket":"public","open":true}\n');
    expect((await command('bucket close east')).code).toBe(0);

    for (const line of ['bucket close west', 'bucket open west'])
      expect(await command(line)).toMatchObject({
        code: 2,
        err: expect.stringContaining('there is no bucket west: see `bucket list`'),
      });
    expect(await command('tenant create --name Acme --plan pro --bucket west')).toMatchObject({
      code: 1,
      err: 'No such bucket west. `bucket list` shows them.\n',
    });
    for (const name of ['West', 'far-west', 'pg_west', 'drizzle', '9west'])
      expect(await command(`bucket add ${name}`)).toMatchObject({
        code: 1,
        err: `"${name}" cannot name a bucket: a letter, then up to 15 letters and digits, all of them small.\n`,
      });
    expect((await command('bucket add')).err).toContain('NAME is missing');
  } finally {
    await own.close();
  }
});

test('what a command is about is found in its bucket', async () => {
  const own = await createContext({ SENDER_ADDRESSES: '127.0.0.1:1' });
  const command = (line: string) => cli(line, own.env);
  try {
    for (const name of ['b1', 'b2']) expect((await command(`bucket add ${name}`)).code).toBe(0);
    for (const name of ['public', 'b1', 'b2']) {
      const db = own.buckets.database(name);
      const account = await makeAccount(db);
      const tenant = toId('tnt', account.tenantId);
      const id = await makeMessageRow(db, account.tenantId, { state: 'deferred' });
      expect(await command(`message explain ${toId('msg', id)}`), name).toMatchObject({
        code: 0,
        out: expect.stringContaining('accepted'),
      });
      const key = `key create --tenant ${tenant} --name web --scopes transactional:send --domain ${account.domain}`;
      expect(await command(key), name).toMatchObject({ code: 0 });
    }
    const missing = toId('msg', newUuid());
    expect(await command(`message explain ${missing}`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/No such message/),
    });

    const run = await command('job run tier-reset --now 2026-01-31T12:00:00Z --json');
    expect(JSON.parse(run.out)).toEqual({
      job: 'tier-reset',
      slot: '2026-01-31T00:30:00.000Z',
      ran: true,
      summary: { public: { reset: 0 }, b1: { reset: 0 }, b2: { reset: 0 } },
    });
    const restored = await command('database restored --json');
    expect(JSON.parse(restored.out)).toMatchObject({ domains: 3, messages: 0 });
    const beat =
      "insert into workers (id, service, heartbeat_at) values (gen_random_uuid(), 'sender', now())";
    await own.buckets.database('b2').pool.query(beat);
    expect(await command('database restored')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/1 senders run/),
    });
  } finally {
    await own.close();
  }
});
