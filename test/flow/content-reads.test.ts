// Every way to read what a message says, and every download of an exported list, leaves a row in the audit log.

import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ROUTES } from '../../api/rest/routes.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { createAdminToken } from '../../core/key/admin-tokens.ts';
import { createKey } from '../../core/key/keys.ts';
import { SCOPES } from '../../core/key/scope.ts';
import { keepPostmasterMail } from '../../core/operations/postmaster-store.ts';
import { createUser } from '../../core/people/users.ts';
import type { Queryable } from '../../core/db/pool.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import type { Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { makeReadOnly } from '../harness/refuse-writes.ts';
import { shareStack, type Stack } from '../harness/stack.ts';

const ACTIONS = [
  'message.content_read',
  'inbound_message.content_read',
  'export.downloaded',
  'campaign.recipients_downloaded',
  'import.failed_rows_downloaded',
];

interface Row {
  actor: string;
  action: string;
  subject: string;
  ip: string | null;
}

async function readsOf(db: Queryable, subject: string): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    'select actor, action, subject, ip from audit_log where subject = $1 and action = any($2) order by id',
    [subject, ACTIONS],
  );
  return rows;
}

/** A message with an attachment that was received. */
async function insertInbound(db: Queryable, { tenantId, domainId }: Pick<Account, 'tenantId' | 'domainId'>) {
  const id = newUuid();
  await db.query(
    `with raw as (insert into inbound_raws (id, tenant_id, mail_from, helo, peer, smtputf8, size_bytes)
       values ($1, $2, '', 'x', '192.0.2.1', false, 1)),
     chunk as (insert into inbound_chunks (raw_id, seq, bytes) values ($1, 0, '\\x41')),
     content as (insert into inbound_contents (raw_id, tenant_id, subject, text, auth, search, attachments)
       values ($1, $2, 'Hi', 'secret', '{"spf":"none","dkim":"none","dmarc":"none"}', '',
         '[{"index":0,"filename":"a","content_type":"text/plain","size_bytes":1}]')),
     attachment as (insert into inbound_attachments (raw_id, index, seq, bytes) values ($1, 0, 0, '\\x41'))
     insert into inbound_messages (id, tenant_id, raw_id, domain_id, kind, recipient)
       values ($4, $2, $1, $3, 'mail', 'ann@example.net')`,
    [newUuid(), tenantId, domainId, id],
  );
  return toId('inm', id);
}

/** An export whose file is written. */
async function insertExport(db: Queryable, tenantId: string): Promise<string> {
  const id = newUuid();
  await db.query(
    `with chunk as (insert into list_export_chunks (export_id, seq, tenant_id, bytes) values ($1, 1, $2, '\\x41'))
     insert into list_exports (id, tenant_id, kind, filter, status, chunks, size_bytes, finished_at, expires_at)
     values ($1, $2, 'contacts', '{}', 'completed', 1, 1, now(), now() + interval '1 hour')`,
    [id, tenantId],
  );
  return toId('exp', id);
}

describe('a row is left by', () => {
  const tls = new Agent({ connect: { rejectUnauthorized: false } });
  let stack: Stack;
  let account: Account;
  beforeAll(async () => {
    stack = await shareStack();
    account = await stack.makeAccount({ tier: 5 });
  });
  afterAll(() => stack.close());

  const db = () => stack.context.db.pool;

  async function ask(method: string, path: string, token: string, body?: unknown) {
    const answer = await fetch(new URL(path, stack.baseUrl), {
      method,
      dispatcher: tls,
      headers: {
        authorization: `Bearer ${token}`,
        'x-postmark-server-token': token,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(300);
    return text;
  }

  async function makeKey() {
    const wanted = { tenantId: account.tenantId, name: 'reads', scopes: [...SCOPES] };
    const { value, keyId } = await createKey(stack.context, TESTER, wanted);
    return { token: value, actor: toId('key', keyId) };
  }

  async function signIn() {
    const person = { email: `ann-${newUuid()}@example.net`, password: 'correct horse battery' };
    const created = { ...person, tenantId: account.tenantId, role: 'member' as const };
    const { userId } = await createUser(stack.context, TESTER, created);
    const query = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
    const text = await ask('POST', '/graphql', '', { query, variables: { input: person } });
    return { token: JSON.parse(text).data.login.accessToken as string, actor: toId('usr', userId) };
  }

  async function makeOperator() {
    const { value } = await createAdminToken(stack.context, TESTER, { name: 'Ops' });
    return { token: value, actor: 'admin token Ops' };
  }

  const message = async () => {
    const { token } = await makeKey();
    const text = await ask('POST', '/api/v1/transactional/send', token, {
      from: `Shop <shop@${account.domain}>`,
      to: 'ann@sink.test',
      subject: 'Hi',
      text: 'secret',
      attachments: [{ filename: 'a.txt', content: 'QQ==', content_type: 'text/plain' }],
    });
    return JSON.parse(text).data.id as string;
  };
  const inbound = () => insertInbound(db(), account);
  const campaign = async () => {
    const { token } = await makeKey();
    const text = await ask('POST', '/api/v1/campaigns', token, {
      name: `c${newUuid()}`,
      from: `a@${account.domain}`,
      subject: 's',
      text: 't',
      audience: { all: true },
    });
    return JSON.parse(text).data.id as string;
  };
  const importOf = (format: string) => async () => {
    const id = newUuid();
    await db().query(
      `insert into contact_imports (id, tenant_id, format, status, size_bytes, failed, finished_at)
       values ($1, $2, $3, 'failed', 1, 1, now())`,
      [id, account.tenantId, format],
    );
    return toId('imp', id);
  };
  const postmaster = async () => {
    const id = newUuid();
    const mail = { id, recipient: 'postmaster@mx.test', mailFrom: '', peer: '192.0.2.1', subject: 'Hi' };
    await keepPostmasterMail(db(), { ...mail, network: id, raw: Buffer.from('A') }, 'mail to postmaster');
    return toId('inm', id);
  };
  const field = (query: string) => ['POST', '/graphql', query] as const;

  type Way = [
    action: string,
    make: () => Promise<string>,
    method: string,
    path: string,
    more?: string | Record<string, unknown>,
  ];
  const WAYS: Way[] = [
    ['message.content_read', message, 'GET', '/api/v1/transactional/{id}/content'],
    ['message.content_read', message, 'GET', '/api/v1/transactional/{id}/raw'],
    ['message.content_read', message, 'GET', '/api/v1/transactional/{id}/attachments/0'],
    ['message.content_read', message, ...field('query($id: ID!) { message(id: $id) { content { text } } }')],
    ['message.content_read', message, 'GET', '/compat/resend/emails/{id}'],
    ['message.content_read', message, 'GET', '/compat/postmark/messages/outbound/{id}/details'],
    ['message.content_read', message, 'GET', '/compat/postmark/messages/outbound/{id}/dump'],
    ['inbound_message.content_read', inbound, 'GET', '/api/v1/mail/messages/{id}'],
    ['inbound_message.content_read', inbound, 'PATCH', '/api/v1/mail/messages/{id}', { read: true }],
    ['inbound_message.content_read', inbound, 'GET', '/api/v1/mail/messages/{id}/raw'],
    ['inbound_message.content_read', inbound, 'GET', '/api/v1/mail/messages/{id}/attachments/0'],
    [
      'inbound_message.content_read',
      inbound,
      ...field('query($id: ID!) { inboundMessage(id: $id) { text } }'),
    ],
    [
      'inbound_message.content_read',
      inbound,
      ...field('query($id: ID!) { inboundMessage(id: $id) { html } }'),
    ],
    [
      'inbound_message.content_read',
      inbound,
      ...field('query($id: ID!) { node(id: $id) { ... on InboundMessage { headers { name } } } }'),
    ],
    [
      'inbound_message.content_read',
      inbound,
      ...field('{ inboundMessages(first: 50) { edges { node { text } } } }'),
    ],
    ['inbound_message.content_read', postmaster, 'GET', '/api/v1/admin/postmaster-mail/{id}/raw'],
    ['export.downloaded', () => insertExport(db(), account.tenantId), 'GET', '/api/v1/exports/{id}/file'],
    ['import.failed_rows_downloaded', importOf('csv'), 'GET', '/api/v1/contacts/imports/{id}/failed-rows'],
    [
      'import.failed_rows_downloaded',
      importOf('suppressions'),
      'GET',
      '/api/v1/suppressions/imports/{id}/failed-rows',
    ],
    ['campaign.recipients_downloaded', campaign, 'GET', '/api/v1/campaigns/{id}/recipients/csv'],
  ];

  test.each(WAYS)('%s: %o %s %s %o', async (action, make, method, path, more) => {
    const id = await make();
    const isGraphql = path === '/graphql';
    const isAdmin = path.includes('/admin/');
    const { token, actor } = await (isGraphql ? signIn() : isAdmin ? makeOperator() : makeKey());
    const body = isGraphql ? { query: more, variables: { id } } : more;
    const text = await ask(method, path.replace('{id}', id), token, body);
    if (isGraphql) expect(JSON.parse(text)).not.toHaveProperty('errors');
    expect(await readsOf(db(), id)).toEqual([{ actor, action, subject: id, ip: '127.0.0.1' }]);
  });

  test('every route that answers with a file is in the table', () => {
    const shown = new Set(WAYS.map(([, , method, path]) => `${method} ${path.replace('/api/v1', '')}`));
    const files = ROUTES.filter(
      (route) => route.file !== undefined && route.file !== 'text/event-stream',
    ).map(({ method, path }) => `${method} ${path}`.replace('{index}', '0'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((one) => !shown.has(one))).toEqual([]);
  });
});

describe('an api', () => {
  let world: ApiWorld;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    world = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
    ({ key, tenantId } = await world.makeKey({ scopes: [...SCOPES] }));
  });
  afterAll(() => world.close());

  const db = () => world.context.db.pool;
  const inbound = () => insertInbound(db(), { tenantId, domainId: newUuid() });

  test('leaves one row an hour for each actor, address and message', async () => {
    const [id, other] = [await inbound(), await inbound()];
    const { key: second } = await world.makeKey({ tenantId, scopes: [...SCOPES] });
    const read = (subject: string, by = key, from = '203.0.113.1') =>
      world.call('GET', `/mail/messages/${subject}`, { key: by, headers: { 'x-forwarded-for': from } });
    await Promise.all([read(id), read(id), read(id)]);
    await read(id);
    expect(await readsOf(db(), id)).toHaveLength(1);
    await read(id, second);
    await read(id, key, '203.0.113.2');
    expect((await readsOf(db(), id)).map(({ ip }) => ip)).toEqual([
      '203.0.113.1',
      '203.0.113.1',
      '203.0.113.2',
    ]);
    expect(await readsOf(db(), other)).toEqual([]);
  });

  test('leaves no row for a message that is not there or shows nothing of its content', async () => {
    const id = await inbound();
    const foreign = await world.makeKey({ scopes: [...SCOPES] });
    expect((await world.call('GET', `/mail/messages/${id}/raw`, { key: foreign.key })).status).toBe(404);
    expect((await world.call('GET', '/mail/messages', { key })).text).toContain(id);
    expect(await readsOf(db(), id)).toEqual([]);
  });

  test('refuses to show a content or a file while it cannot write the row', async () => {
    const ids = [await inbound(), await insertExport(db(), tenantId)] as const;
    const content = {
      subject: 'Hi',
      attachments: [{ filename: 'a', contentType: 'a/b', content: Buffer.of(65) }],
    };
    const msg = toId(
      'msg',
      await makeMessageRow(world.context.db, tenantId, { state: 'delivered', content }),
    );
    const paths = [
      `/transactional/${msg}/attachments/0`,
      `/mail/messages/${ids[0]}`,
      `/mail/messages/${ids[0]}/raw`,
      `/exports/${ids[1]}/file`,
    ];
    const allow = await makeReadOnly(world.context);
    try {
      for (const path of paths) {
        const answer = await world.call('GET', path, { key });
        expect([path, answer.status, answer.json.error]).toEqual([path, 503, 'unavailable']);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect((await world.call('GET', '/mail/messages', { key })).status).toBe(200);
    } finally {
      await allow();
    }
    for (const path of paths) expect((await world.call('GET', path, { key })).status).toBe(200);
    for (const id of [msg, ...ids]) expect(await readsOf(db(), id)).toHaveLength(1);
  });
});
