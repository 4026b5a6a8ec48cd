// A key that expires, and one that works from some addresses only: at every way in, and within a second.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SCOPES } from '../../core/key/scope.ts';
import { createApiWorld, type ApiWorld, type RunningApi } from '../harness/api-world.ts';
import { code, login, makePerson } from '../harness/sign-in.ts';
import { connectSmtps } from '../harness/smtp-client.ts';
import { plain, startSubmission, type RunningSubmission } from '../harness/submission.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';

const HOME = '203.0.113.7';
const AWAY = '198.51.100.9';
const ALLOWED = [HOME, '2001:db8:1::/48', '127.0.0.2'];

let world: ApiWorld;
let other: RunningApi;
let submission: RunningSubmission;
beforeAll(async () => {
  world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  other = await world.startAnother();
  submission = await startSubmission(world);
});
afterAll(async () => {
  await submission?.stop();
  await world?.close();
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const whoami = (key: string, address = AWAY, api: RunningApi = world) =>
  api.call('GET', '/whoami', { key, headers: from(address) });

/** The reply to AUTH of a key, from an address of this machine. */
async function auth(key: string, address: string): Promise<string> {
  const client = await connectSmtps(submission.tlsPort, address);
  await client.say('EHLO client.test');
  const reply = await client.say(`AUTH PLAIN ${plain(key)}`);
  client.close();
  return reply;
}

describe('a key that expires', () => {
  test('works until then, and is 401 with the time on every process within a second', async () => {
    const { key, keyId } = await world.makeKey({ scopes: [...SCOPES], expires_at: '2999-01-31T08:00:00Z' });
    expect((await whoami(key)).json.data.key).toMatchObject({
      expires_at: '2999-01-31T08:00:00.000Z',
      allowed_addresses: [],
    });
    expect((await whoami(key, AWAY, other)).status).toBe(200);
    expect(await auth(key, '127.0.0.2')).toMatch(/^235/);
    await world.context.db.pool.query('update api_keys set expires_at = now() where id = $1', [keyId]);
    const isOver = async (api: RunningApi) => (await whoami(key, AWAY, api)).status === 401;
    await Promise.all([world, other].map((api) => waitUntil(() => isOver(api), WITHIN_A_SECOND)));
    const refused = await whoami(key);
    expect(refused.json).toMatchObject({
      error: 'unauthorized',
      message: expect.stringMatching(/^The API key expired at \d{4}-.*Z\. Use another key\.$/),
    });
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(refused.headers['x-ratelimit-limit']).toBe('60'); // counted as one without a key
    expect(await auth(key, '127.0.0.2')).toMatch(/^535 5\.7\.8 The API key expired at /);
    const theirs = await world.call('GET', '//compat/resend/domains', { key, headers: from(AWAY) });
    expect(theirs).toMatchObject({ status: 403, json: { name: 'invalid_api_key' } });
    expect(theirs.json.message).toMatch(/^The API key expired at /);
  });
});

describe('a key with allowed addresses', () => {
  test('is forbidden from all others, at REST, at the doors of other services, and at submission', async () => {
    const { key } = await world.makeKey({ scopes: [...SCOPES], allowed_addresses: ALLOWED });
    for (const address of [HOME, '2001:db8:1:ffff::9', `${AWAY}, ${HOME}`])
      expect((await whoami(key, address)).status, address).toBe(200);
    for (const address of [AWAY, '203.0.113.8', '2001:db8:2::1', `${HOME}, ${AWAY}`]) {
      const refused = await whoami(key, address); // straight after a success: what is believed is not who asks
      expect([address, refused.status, refused.json.error]).toEqual([address, 403, 'forbidden']);
    }
    expect((await whoami(key)).json.message).toContain(`may not be used from ${AWAY}`);
    const doors = [
      ['/compat/resend/domains', { authorization: `Bearer ${key}` }, 403],
      ['/compat/sendgrid/v3/suppression/bounces', { authorization: `Bearer ${key}` }, 403],
      ['/compat/postmark/bounces?count=1&offset=0', { 'x-postmark-server-token': key }, 401],
    ] as const;
    for (const [path, headers, status] of doors) {
      const ask = (address: string) =>
        world.call('GET', `/${path}`, { headers: { ...headers, ...from(address) } });
      expect([path, (await ask(AWAY)).status]).toEqual([path, status]);
      expect([path, (await ask(HOME)).status]).toEqual([path, 200]);
    }
    expect(await auth(key, '127.0.0.2')).toMatch(/^235/);
    expect(await auth(key, '127.0.0.3')).toMatch(
      /^535 5\.7\.8 The API key may not be used from 127\.0\.0\.3/,
    );
  });

  test('its requests from elsewhere are limited as those without a key', async () => {
    const { key } = await world.makeKey({ allowed_addresses: [HOME] });
    const address = '198.51.100.77';
    const statuses = [];
    for (let n = 0; n < 61; n++) statuses.push((await whoami(key, address)).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 403), 429]);
    expect((await whoami(key, HOME)).status).toBe(200);
  });

  test('counts its own use only where it is allowed', async () => {
    const { key } = await world.makeKey({ allowed_addresses: [HOME] });
    await whoami(key);
    await world.deps.authenticator.flush();
    expect((await whoami(key, HOME)).json.data.key.last_used_at).toBeNull();
  });
});

describe('making one', () => {
  const CREATE = `mutation($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { value apiKey { expiresAt allowedAddresses } } }`;
  const BASE = { name: 'job', scopes: ['events:read'] };

  test('in GraphQL; each address once, in its shortest spelling; the audit log has both limits', async () => {
    const person = await makePerson(world, 'owner');
    const { token } = await login(world, person);
    const create = (limits: object) =>
      world.graphql(CREATE, { input: { ...BASE, ...limits } }, { key: token });
    const limits = {
      expiresAt: '2999-01-31T08:00:00+01:00',
      allowedAddresses: [` ${HOME}/32 `, HOME, '2001:DB8:0::/32'],
    };
    const { value, apiKey } = (await create(limits)).json.data.createApiKey;
    const shown = { expiresAt: '2999-01-31T07:00:00.000Z', allowedAddresses: [HOME, '2001:db8::/32'] };
    expect(apiKey).toEqual(shown);
    const listed = await world.graphql(
      '{ apiKeys { edges { node { expiresAt allowedAddresses } } } }',
      {},
      { key: token },
    );
    expect(listed.json.data.apiKeys.edges).toEqual([{ node: shown }]);
    expect((await whoami(value, HOME)).status).toBe(200);
    const { rows } = await world.context.db.pool.query(
      "select data from audit_log where tenant_id = $1 and action = 'api_key.created'",
      [person.tenantId],
    );
    expect(rows[0].data).toMatchObject({
      expires_at: shown.expiresAt,
      allowed_addresses: shown.allowedAddresses,
    });
    const free = (await create({})).json.data.createApiKey;
    expect(free.apiKey).toEqual({ expiresAt: null, allowedAddresses: [] });

    const bad: [object, string, string][] = [
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'must be in the future'],
      [{ allowedAddresses: [HOME, '10.0.0.1/8'] }, 'allowedAddresses[1]', 'has bits behind its prefix'],
      [{ allowedAddresses: ['example.com'] }, 'allowedAddresses[0]', 'must be an IP address'],
      [
        { allowedAddresses: Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`) },
        'allowedAddresses',
        'must have at most 50 items',
      ],
    ];
    for (const [input, path, message] of bad) {
      const answer = await create(input);
      expect(code(answer)).toBe('validation_failed');
      expect(answer.json.errors[0].extensions.details).toEqual([
        { path, message: expect.stringContaining(message) },
      ]);
    }
  });
});
