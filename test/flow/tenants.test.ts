import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { createKey, listKeys, revokeKey } from '../../core/key/keys.ts';
import { ALERT_KIND_NAMES, ALERT_KINDS } from '../../core/alert/alert-kinds.ts';
import { listAlertRules } from '../../core/alert/alert-store.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import { readQuota } from '../../core/tenant/tenants.ts';
import { createUser } from '../../core/people/users.ts';
import { createContext, type Context } from '../harness/context.ts';
import { TESTER } from '../harness/actor.ts';

let context: Context;
beforeAll(async () => {
  context = await createContext();
});
afterAll(() => context.close());

describe('tenants', () => {
  test('bad names and plans are refused by field', async () => {
    const { db } = context;
    for (const [input, path] of [
      [{ name: ' ', plan: 'free' }, 'name'],
      [{ name: 'x'.repeat(101), plan: 'free' }, 'name'],
      [{ name: 'a\nb', plan: 'free' }, 'name'],
      [{ name: 'a', plan: 'gold' }, 'plan'],
    ] as const) {
      await expect(createTenant({ db }, TESTER, input)).rejects.toMatchObject({
        code: 'validation_failed',
        details: [{ path }],
      });
    }
  });

  test('it begins with the recommended alert rules', async () => {
    const { db } = context;
    const { id } = await createTenant({ db }, TESTER, { name: 'A', plan: 'free' });
    const rules = await listAlertRules(db.pool, id, { before: null, limit: 50 });
    expect(rules.map(({ kind, threshold }) => [kind, threshold])).toEqual(
      ALERT_KIND_NAMES.map((kind) => [kind, ALERT_KINDS[kind].suggested]),
    );
    expect(rules.every(({ enabled, mail, chat }) => enabled && mail && chat)).toBe(true);
    expect(rules.every(({ domainId }) => domainId === null)).toBe(true);
  });

  test('the quota is that of the current UTC month and of the plan', async () => {
    const { db } = context;
    const tenant = await createTenant({ db }, TESTER, { name: 'A', plan: 'starter' });
    expect(await readQuota(db, tenant)).toMatchObject({ used: 0, cap: 50_000, remaining: 50_000 });
    await db.pool.query(
      `insert into tenant_usage (tenant_id, month, used)
       select $1, m::date, case when m = date_trunc('month', now() at time zone 'UTC') then 60000 else 5 end
       from generate_series(date_trunc('month', now() at time zone 'UTC') - interval '2 months',
         date_trunc('month', now() at time zone 'UTC'), interval '1 month') m`,
      [tenant.id],
    );
    const quota = await readQuota(db, tenant);
    expect(quota).toMatchObject({ used: 60_000, remaining: 0 });
    const now = new Date();
    expect(quota.resetsAt).toEqual(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));
  });
});

describe('keys', () => {
  test('only a hash of the value is stored, and each change is in the audit log', async () => {
    const { db } = context;
    const tenant = await createTenant({ db }, TESTER, { name: 'A', plan: 'free' });
    const { keyId, value } = await createKey({ db }, TESTER, {
      tenantId: tenant.id,
      name: ' server ',
      scopes: ['events:read', 'events:read'],
    });
    const { rows } = await db.pool.query('select * from api_keys where id = $1', [keyId]);
    expect(rows[0]).toMatchObject({ name: 'server', scopes: ['events:read'] });
    expect(JSON.stringify(rows)).not.toContain(value.slice(8, 30));
    await revokeKey({ db }, TESTER, { keyId, tenantId: tenant.id });
    await expect(revokeKey({ db }, TESTER, { keyId, tenantId: tenant.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    const audit = await db.pool.query(
      'select action, actor from audit_log where tenant_id = $1 order by id',
      [tenant.id],
    );
    expect(audit.rows).toEqual([
      { action: 'tenant.created', actor: 'test' },
      { action: 'api_key.created', actor: 'test' },
      { action: 'api_key.revoked', actor: 'test' },
    ]);
  });

  test('another tenant can neither list nor revoke it', async () => {
    const { db } = context;
    const [a, b] = [
      await createTenant({ db }, TESTER, { name: 'A', plan: 'free' }),
      await createTenant({ db }, TESTER, { name: 'B', plan: 'free' }),
    ];
    const { keyId } = await createKey({ db }, TESTER, { tenantId: a.id, name: 'k', scopes: ['mail:read'] });
    expect(await listKeys(db, b.id, { limit: 10 })).toEqual([]);
    await expect(revokeKey({ db }, TESTER, { keyId, tenantId: b.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    const bad = { tenantId: newUuid(), name: 'k', scopes: ['mail:read'] };
    await expect(createKey({ db }, TESTER, bad)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('one account per address, whatever its letters', async () => {
  const { db } = context;
  const tenant = await createTenant({ db }, TESTER, { name: 'A', plan: 'free' });
  const made = await createUser({ db }, TESTER, {
    tenantId: tenant.id,
    email: 'Ann@Example.COM',
    role: 'owner',
  });
  expect(made.user.email).toBe('ann@example.com');
  expect(made.password.length).toBeGreaterThanOrEqual(20);
  const again = { tenantId: tenant.id, email: 'ann@example.com', role: 'member' as const };
  await expect(createUser({ db }, TESTER, again)).rejects.toMatchObject({ code: 'conflict' });
  await expect(createUser({ db }, TESTER, { ...again, email: 'x' })).rejects.toMatchObject({
    code: 'validation_failed',
  });
});
