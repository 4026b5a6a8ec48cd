// The addresses that other services' clients ask for: paths as some of them build them, and the root of a host in COMPAT_HOSTS.

import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createRequestPath } from '../../api/compat/request-path.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';

const HOSTS = { resend: 'resend.api.test', sendgrid: 'sendgrid.api.test', postmark: 'postmark.api.test' };
const SCOPES = [
  'transactional:send',
  'transactional:read',
  'events:read',
  'suppressions:read',
  'domains:read',
];

let world: ApiWorld;
let key: string;
beforeAll(async () => {
  world = await createApiWorld({ COMPAT_HOSTS: JSON.stringify(HOSTS) });
  ({ key } = await world.makeKey({ scopes: SCOPES }));
});
afterAll(() => world.close());

const ask = async (method: string, path: string, host?: string, body?: unknown) => {
  const headers = { 'x-postmark-server-token': key, ...(host !== undefined && { host }) };
  const { status, json } = await world.call(method, `/${path}`, { key, headers, body });
  return { status, json };
};
/** Refused for its fields, so the route was found; without a route it is 404 or 405. */
const REFUSED = { resend: 422, sendgrid: 400, postmark: 422 };

test.each([
  ['resend', 'POST', '/compat/resend/emails/'],
  ['resend', 'POST', '//compat//resend//emails/batch//'],
  ['resend', 'POST', '/Compat/RESEND/Emails'],
  ['sendgrid', 'POST', '/compat/sendgrid//v3/mail/send'],
  ['sendgrid', 'POST', '/compat/sendgrid/V3/Mail/Send/?x=1'],
  ['postmark', 'POST', '/compat/postmark/email/'],
  ['postmark', 'POST', '/compat/postmark/email/withTemplate/'],
  ['postmark', 'POST', '/compat/postmark//email/withtemplate'],
] as const)('%s: %s %s is its route', async (service, method, path) => {
  expect((await ask(method, path, undefined, {})).status).toBe(REFUSED[service]);
});

test('ids and addresses in a path keep their letters', async () => {
  const pathOf = createRequestPath({ COMPAT_HOSTS: {} });
  const incoming = { headers: {} } as IncomingMessage;
  const routed = (path: string) => pathOf(new Request(`https://api.test${path}`), { incoming });
  expect(routed('/COMPAT/SendGrid//V3/suppression/BOUNCES/Ann@Sink.test/')).toBe(
    '/compat/sendgrid/v3/suppression/bounces/Ann@Sink.test',
  );
  expect(routed('/compat/postmark/Messages/OUTBOUND/MSG_x/Details')).toBe(
    '/compat/postmark/messages/outbound/MSG_x/details',
  );
  expect(await ask('GET', '/compat/sendgrid/V3/suppression/bounces/Ann%2BOne@Sink.test/')).toEqual({
    status: 200,
    json: [],
  });
});

test('at its own host each service answers at the root, with or without a port, in any case', async () => {
  for (const [service, host] of Object.entries(HOSTS)) {
    const path = { resend: '/emails', sendgrid: '/v3/mail/send', postmark: '/email/' }[service]!;
    const expected = REFUSED[service as keyof typeof HOSTS];
    for (const name of [host, host.toUpperCase(), `${host}:8443`])
      expect([name, (await ask('POST', path, name, {})).status]).toEqual([name, expected]);
    expect((await ask('POST', `/compat/${service}${path}`, host, {})).status).toBe(expected);
  }
  expect((await ask('GET', '/domains', HOSTS.resend)).json).toMatchObject({ object: 'list', data: [] });
  // What is not there has the service's error, not a page of the dashboard or an answer of REST.
  expect((await ask('GET', '/api/v1/whoami', HOSTS.postmark)).json).toMatchObject({ ErrorCode: 701 });
  expect((await ask('GET', '/', HOSTS.sendgrid)).json).toMatchObject({ errors: [{ field: null }] });
});

test('elsewhere paths are as they were sent, and other hosts have no service', async () => {
  expect((await ask('GET', '/api/v1/whoami')).status).toBe(200);
  expect((await ask('GET', '/API/V1/whoami')).status).toBe(404);
  expect((await ask('POST', '/email', 'api.test', {})).status).toBe(404);
  expect((await ask('POST', '/compat/other/email', HOSTS.postmark, {})).status).toBe(404);
});
