// Fills a fresh database: tenants on the largest plan, verified and fully warm domains, keys. So many that neither
// caps nor quotas nor rate limits bind: 96 domains take 9.6 million messages a day, 400 keys 240,000 requests a minute.

import type { Config } from '../../core/base/config.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { deriveKeys } from '../../core/base/secrets.ts';
import type { Database } from '../../core/db/pool.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { dkimRecordValue, makeDkimKeys, type NewDkimKey } from '../../core/domain/dkim-key.ts';
import { insertKeys } from '../../core/domain/dkim-store.ts';
import { createKey } from '../../core/key/keys.ts';
import { createTenant } from '../../core/new-tenant/create-tenant.ts';
import { TOP_TIER } from '../../core/warmup/tiers.ts';
import { service } from '../../core/audit/actor.ts';

/** One tenant with what it sends with. */
export interface SeededTenant {
  /** `tnt_…` */
  id: string;
  domains: string[];
  /** API keys. */
  keys: string[];
  /** `tpl_…` */
  template: string;
}

/** What was seeded. */
export interface Seed {
  tenants: SeededTenant[];
  /** What the DKIM record of every domain says, and under which selector: all share one key pair. */
  dkim: { selector: string; record: string };
}

const TENANTS = 16;
const DOMAINS_EACH = 6;
const KEYS_EACH = 25;
const TEMPLATE = {
  subject: 'Your order {{ order }}',
  html: `<h1>Hello {{ name }}</h1><p>Order <b>{{ order }}</b>:</p><ul>
{% for item in items %}<li>{{ item.name }}: {{ item.price }} EUR</li>
{% endfor %}</ul><p><a href="https://shop.example/orders/{{ order }}">Follow it</a></p>`,
  variables: ['name', 'order'].map((name) => ({ name, required: true, default: null })),
};

/** Seeds. */
export async function seed(db: Database, config: Config): Promise<Seed> {
  const [sealKey] = deriveKeys(config, 'secret-box');
  const [dkimKey] = await makeDkimKeys({ tenantId: '', ed25519: false, sealKey });
  if (!dkimKey) throw new Error('no DKIM key was made');
  const tenants: SeededTenant[] = [];
  for (let n = 0; n < TENANTS; n++) {
    const tenant = await createTenant({ db }, service('bench'), { name: `Bench ${n}`, plan: 'scale' });
    const key = { tenantId: tenant.id, name: 'bench', scopes: ['transactional:send'] };
    const keys = await Promise.all(
      Array.from({ length: KEYS_EACH }, () => createKey({ db }, service('bench'), key)),
    );
    const domains = Array.from({ length: DOMAINS_EACH }, (_, d) => `d${n}x${d}.bench.test`);
    await Promise.all(domains.map((name) => seedDomain(db, tenant.id, name, dkimKey)));
    const template = await seedTemplate(db, tenant.id);
    tenants.push({ id: toId('tnt', tenant.id), domains, keys: keys.map((one) => one.value), template });
  }
  return { tenants, dkim: { selector: dkimKey.selector, record: dkimRecordValue(dkimKey) } };
}

async function seedDomain(db: Database, tenantId: string, name: string, dkimKey: NewDkimKey): Promise<void> {
  const owner = { tenantId, domainId: newUuid() };
  await inTransaction(db.pool, async (client) => {
    await client.query(
      `insert into domains (id, tenant_id, name, status, tier, verified_at)
       values ($1, $2, $3, 'verified', $4, now())`,
      [owner.domainId, tenantId, name, TOP_TIER],
    );
    await insertKeys(client, owner, 'active', [{ ...dkimKey, id: newUuid() }]);
  });
}

async function seedTemplate(db: Database, tenantId: string): Promise<string> {
  const id = newUuid();
  await db.pool.query("insert into templates (id, tenant_id, name, version) values ($1, $2, 'Receipt', 1)", [
    id,
    tenantId,
  ]);
  await db.pool.query(
    `insert into template_versions (template_id, version, tenant_id, subject, html, variables)
     values ($1, 1, $2, $3, $4, $5)`,
    [id, tenantId, TEMPLATE.subject, TEMPLATE.html, JSON.stringify(TEMPLATE.variables)],
  );
  return toId('tpl', id);
}
