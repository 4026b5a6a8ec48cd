// Endpoints of events over REST: made, changed, rotated, tested and deleted; what is refused.

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { SCOPES } from '../../core/key/scope.ts';
import { WEBHOOK_EVENT_TYPES } from '../../core/webhook/event-types.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { startEndpoint, type Endpoint } from '../harness/inbound-world.ts';

let world: ApiWorld;
let endpoint: Endpoint;
let status = 204;
let key: string;
let tenantId: string;

beforeAll(async () => {
  world = await createApiWorld();
  endpoint = await startEndpoint(() => ({ status }));
  ({ key, tenantId } = await world.makeKey({ scopes: [...SCOPES] }));
});
afterAll(async () => {
  await endpoint?.close();
  await world?.close();
});

const ask = (method: string, path: string, body?: unknown, as = key) =>
  world.call(method, path, { key: as, ...(body === undefined ? {} : { body }) });
const freshKey = () => world.makeKey({ tenantId, scopes: [...SCOPES] });

test('an endpoint is made, read, changed, rotated and deleted, each with its row in the audit log', async () => {
  const made = await ask('POST', '/webhooks', {
    url: endpoint.url,
    event_types: ['message.delivered', 'message.bounced', 'message.delivered'],
    description: 'the shop',
  });
  expect(made.status, made.text).toBe(201);
  const { id, secret, ...shown } = made.json.data;
  expect(id).toMatch(/^whk_/);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toMatchObject({
    url: endpoint.url,
    event_types: ['message.delivered', 'message.bounced'],
    description: 'the shop',
    domain_ids: null,
    enabled: true,
    disabled_reason: null,
    format: 'standard',
  });
  expect((await ask('GET', `/webhooks/${id}`)).json.data).toEqual({ id, ...shown });
  expect((await ask('GET', '/webhooks')).json.data).toEqual({ items: [{ id, ...shown }], next_cursor: null });

  const changed = await ask('PATCH', `/webhooks/${id}`, {
    event_types: ['message.opened', '*'],
    enabled: false,
  });
  expect(changed.json.data).toEqual({ id, ...shown, event_types: ['*'], enabled: false });
  expect((await ask('PATCH', `/webhooks/${id}`, {})).json.data).toEqual(changed.json.data);

  const rotated = await ask('POST', `/webhooks/${id}/rotate`);
  expect(rotated.status).toBe(200);
  expect(rotated.json.data.secret).not.toBe(secret);
  expect(rotated.json.data.rotated_at).not.toBeNull();

  expect((await ask('DELETE', `/webhooks/${id}`)).json.data).toEqual({ id, deleted: true });
  expect((await ask('GET', `/webhooks/${id}`)).status).toBe(404);
  const { rows } = await world.context.db.pool.query(
    'select action from audit_log where subject = $1 order by id',
    [id],
  );
  expect(rows.map((row) => row.action)).toEqual([
    'webhook.created',
    'webhook.changed',
    'webhook.changed',
    'webhook.rotated',
    'webhook.deleted',
  ]);
});

test('what is refused: unknown types, bad URLs, domains of others, and the 21st, also of many at once', async () => {
  const { key: other, tenantId: others } = await world.makeKey({ scopes: [...SCOPES] });
  const foreign = (await ask('POST', '/mail/domains', { name: 'foreign.example.org' }, other)).json.data.id;
  const own = (await ask('POST', '/mail/domains', { name: 'own.example.org' })).json.data.id;
  const good = { url: endpoint.url, event_types: ['*'] };
  for (const [body, path] of [
    [{ ...good, event_types: ['message.eaten'] }, 'event_types[0]'],
    [{ ...good, event_types: [] }, 'event_types'],
    [{ url: endpoint.url }, 'event_types'],
    [{ ...good, url: 'ftp://example.com/' }, 'url'],
    [{ ...good, url: 'https://user:secret@example.com/' }, 'url'],
    [{ ...good, domain_ids: [own, foreign] }, 'domain_ids[1]'],
    [{ ...good, domain_ids: ['dom_x'] }, 'domain_ids[0]'],
    [{ ...good, format: 'carrier-pigeon' }, 'format'],
    [{ ...good, secret: 'mine' }, 'secret'],
  ] as const) {
    const answer = await ask('POST', '/webhooks', body);
    expect([answer.status, answer.json.details?.[0]?.path], answer.text).toEqual([422, path]);
  }
  const scoped = await ask('POST', '/webhooks', { ...good, domain_ids: [own] });
  expect(scoped.json.data.domain_ids).toEqual([own]);
  expect((await ask('GET', `/webhooks/${scoped.json.data.id}`, undefined, other)).status).toBe(404);

  const many = await Promise.all(Array.from({ length: 23 }, () => ask('POST', '/webhooks', good, other)));
  expect(many.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([
    ...Array<number>(20).fill(201),
    ...Array<number>(3).fill(409),
  ]);
  expect(others).not.toBe(tenantId);
});

test('a sample of each type is posted, and the official library verifies it, with two secrets while rotating', async () => {
  const { key: mine } = await freshKey();
  const made = await ask('POST', '/webhooks', { url: endpoint.url, event_types: ['*'] }, mine);
  const { id, secret: first } = made.json.data;
  for (const type of WEBHOOK_EVENT_TYPES) {
    const before = endpoint.hits.length;
    const answer = await ask('POST', `/webhooks/${id}/test`, { event_type: type }, mine);
    expect(answer.json.data, answer.text).toMatchObject({ passed: true, status_code: 204, error: null });
    const { headers, body } = endpoint.hits[before]!;
    const event = new Webhook(first).verify(body.toString(), headers as Record<string, string>) as {
      type: string;
      data: { id?: string };
    };
    expect(event.type).toBe(type);
    if (type.startsWith('message.')) expect(event.data.id).toBe(headers['webhook-id']);
  }
  const { secret: second } = (await ask('POST', `/webhooks/${id}/rotate`, undefined, mine)).json.data;
  await ask('POST', `/webhooks/${id}/test`, { event_type: 'campaign.sent' }, mine);
  const { headers, body } = endpoint.hits.at(-1)!;
  for (const secret of [first, second])
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
  await world.context.db.pool.query(
    `update webhook_endpoints set previous_until = now() where tenant_id = $1`,
    [tenantId],
  );
  status = 500;
  const failed = await ask('POST', `/webhooks/${id}/test`, { event_type: 'campaign.sent' }, mine);
  expect(failed.json.data).toMatchObject({ passed: false, status_code: 500 });
  const last = endpoint.hits.at(-1)!;
  expect(() =>
    new Webhook(first).verify(last.body.toString(), last.headers as Record<string, string>),
  ).toThrow();
});
