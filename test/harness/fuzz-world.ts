// A tenant that has one of everything, for a program that asks whatever the OpenAPI document allows: real services, people
// to ask as, and the ids of what exists.

import { toId } from '../../core/base/ids.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from './actor.ts';
import { call } from './api-world.ts';
import { openWorld, sendMail } from './inbound-world.ts';
import { createStack, type Stack } from './stack.ts';
import { waitUntil } from './wait.ts';

/** What there is. */
export interface FuzzWorld {
  stack: Stack;
  /** Name of the tenant's verified domain. */
  domain: string;
  /** Access tokens of super-admins of the tenant. */
  tokens: string[];
  /** Ids by their prefix. The first domain is verified. */
  ids: Record<string, string[]>;
  close(): Promise<void>;
}

const PEOPLE = 10; // each may ask 600 times a minute
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';

/** Starts it all. */
export async function createFuzzWorld(): Promise<FuzzWorld> {
  const stack = await createStack({ api: true });
  const { tenantId, domainId, domain } = await stack.makeAccount({ plan: 'scale', tier: 10 });
  await stack.context.db.pool.query('update domains set inbound_enabled = true where id = $1', [domainId]);
  const port = Number(new URL(stack.baseUrl).port);
  const tokens: string[] = [];
  for (let i = 0; i < PEOPLE; i++) {
    const email = `fuzz${i}@example.com`;
    const { password } = await createUser(stack.context, TESTER, { tenantId, email, role: 'super_admin' });
    const body = { query: LOGIN, variables: { input: { email, password } } };
    tokens.push((await call(port, 'POST', '/graphql', { body })).json.data.login.accessToken);
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await call(port, method, `/api/v1${path}`, { key: tokens[0], body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json.data;
  };
  const list = async (path: string): Promise<string[]> =>
    (await ask('GET', path)).items.map(({ id }: { id: string }) => id);

  const words = { subject: 'Hello', html: '<p>Hello</p>' };
  const from = `Shop <shop@${domain}>`;
  const endpoint = { webhook_url: 'http://127.0.0.1:9/', enabled: true }; // nobody listens there
  await ask('PATCH', '/settings/inbound-webhook', endpoint);
  for (const n of [1, 2, 3]) {
    await ask('POST', '/mail/domains', { name: `domain${n}.example` });
    await ask('POST', '/templates', { name: `Template ${n}`, ...words });
    await ask('POST', '/contacts/lists', { name: `List ${n}` });
    await ask('POST', '/contacts', { email: `ann${n}@example.net` });
    await ask('POST', '/contacts/import', { contacts: [{ email: `bob${n}@example.net` }] });
    await ask('POST', '/webhooks', { url: endpoint.webhook_url, event_types: ['*'] });
    await ask('POST', '/mail/mailboxes', { address: `box${n}@${domain}` });
    await ask('POST', '/campaigns', { name: `News ${n}`, from, audience: { all: true }, ...words });
    await ask('POST', '/transactional/send', { from, to: `ann${n}@sink.test`, ...words });
  }
  const inbound = await openWorld({}, stack.context);
  const mail = `From: ann@sender.test\r\nTo: box1@${domain}\r\nSubject: Hello\r\n\r\nHello\r\n`;
  for (const n of [1, 2, 3]) await sendMail(inbound.port, { to: `box${n}@${domain}`, data: mail });
  await waitUntil(async () => (await list('/mail/messages')).length === 3);
  await inbound.close();

  const pending = (await list('/mail/domains')).filter((id) => id !== toId('dom', domainId));
  const ids: FuzzWorld['ids'] = {
    tnt: [(await ask('GET', '/whoami')).tenant.id],
    dom: [toId('dom', domainId), ...pending],
    msg: await list('/transactional'),
    tpl: await list('/templates'),
    lst: await list('/contacts/lists'),
    con: await list('/contacts'),
    imp: await list('/contacts/imports'),
    whk: await list('/webhooks'),
    mbx: await list('/mail/mailboxes'),
    cmp: await list('/campaigns'),
    inm: await list('/mail/messages'),
  };
  return { stack, domain, tokens, ids, close: () => stack.close() };
}
