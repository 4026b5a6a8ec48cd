// Mail about what happens to an account: to the person, or to the owners of the tenant; with the change, or not at all.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { resetSecondFactorOf } from '../../core/people/second-factor.ts';
import { addSystemMail, mailOwners } from '../../core/system-mail/system-mail-store.ts';
import { TESTER } from '../harness/actor.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { mailsTo, resetTokenIn, sendSystemMail, SYSTEM_DOMAIN } from '../harness/invitations.ts';
import { openPeopleWorld, PASSWORD, peopleSteps, type Person } from '../harness/people-world.ts';
import { startSamlIdp } from '../harness/saml-idp.ts';
import { SAVE_CONNECTION } from '../harness/saml-world.ts';
import { setUp } from '../harness/second-factor.ts';
import { login, makePerson, stranger } from '../harness/sign-in.ts';
import { failed } from '../harness/stub-sender.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  ({ world, other } = await openPeopleWorld());
});
afterAll(() => world.close());

const { person, ask } = peopleSteps(() => ({ world, other }));

const CREATE_KEY = 'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { id } } }';
const CREATE_DOMAIN =
  'mutation($input: CreateDomainInput!) { createDomain(input: $input) { domain { id } } }';

const subjects = (email: string) => mailsTo(world, email).map(({ subject }) => subject);

describe('a sign-in', () => {
  const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

  test('from an address or browser that was not seen before is mailed to the person, once', async () => {
    const me = await makePerson(world, 'member');
    const from = async (ip: string, browser: string) => {
      await login(world, me, { 'x-forwarded-for': ip, 'user-agent': browser });
      await sendSystemMail(world);
      return subjects(me.email).length;
    };
    expect(await from('198.51.100.1', CHROME)).toBe(0); // the first one ever is no news
    expect(await from('198.51.100.1', CHROME.replace('140', '141'))).toBe(0);
    expect(await from('198.51.100.2', CHROME)).toBe(1);
    expect(await from('198.51.100.2', CHROME)).toBe(1);
    expect(await from('198.51.100.1', FIREFOX)).toBe(2);
    expect(await from('198.51.100.2', FIREFOX)).toBe(2);
    expect(await from('2001:db8:1:2:3::4', FIREFOX)).toBe(3);
    expect(await from('2001:db8:1:2::9', FIREFOX)).toBe(3); // the same subscriber
    const [mail] = mailsTo(world, me.email);
    expect(mail).toMatchObject({ subject: 'New sign-in to your account' });
    expect(mail!.text).toMatch(
      /^Time: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\nAddress: 198\.51\.100\.2\nBrowser: Chrome on Linux\nWith: the password$/m,
    );
    expect(mail!.text).toContain('https://api.test/profile');
  });

  test('what a browser says of itself is not repeated to the person', async () => {
    const me = await person();
    const text = 'Mozilla\u00a0your account is closed, go to https://evil.test';
    await login(world, me, { 'user-agent': text });
    await sendSystemMail(world);
    expect(mailsTo(world, me.email).at(-1)!.text).not.toContain('evil');
  });
});

describe('owners', () => {
  async function tenant() {
    const first = await person();
    const second = await person('owner', first.tenantId);
    const member = await person('member', first.tenantId);
    await sendSystemMail(world);
    const sentTo = async () => {
      await sendSystemMail(world);
      return [first, second, member].map(({ email }) => subjects(email));
    };
    return { first, second, member, sentTo };
  }
  const dns = (who: Person) =>
    ask(who, CREATE_DOMAIN, { input: { name: `d${newUuid().slice(-12)}.example` } });

  test('a domain whose records were found by themselves is mailed to them, with its page', async () => {
    const { first, sentTo } = await tenant();
    const data = { id: toId('dom', newUuid()), name: 'found.example' };
    await mailOwners(world.context.db.pool, first.tenantId, { kind: 'domain_verified', data });
    const [one, two, member] = await sentTo();
    expect([one!.at(-1), two!.at(-1), member!.length]).toEqual([
      'found.example is verified',
      'found.example is verified',
      0,
    ]);
    expect(mailsTo(world, first.email).at(-1)!.text).toContain(`https://api.test/domains/${data.id}`);
  });

  test('read about a new key, a new domain, and SSO; others do not', async () => {
    const idp = await startSamlIdp();
    const { first, member, sentTo } = await tenant();
    await world.context.db.pool.query("update tenants set plan = 'pro' where id = $1", [first.tenantId]);
    await ask(first, CREATE_KEY, { input: { name: 'web shop', scopes: ['events:read'] } });
    await createKey(world.context, TESTER, {
      tenantId: first.tenantId,
      name: 'cli',
      scopes: ['events:read'],
    });
    await dns(member);
    await ask(first, SAVE_CONNECTION, { input: { idpMetadataXml: idp.metadataXml, enabled: true } });
    await ask(first, 'mutation { deleteSamlConnection { id } }');
    const told = [
      ...['New API key in Acme', 'New API key in Acme', 'New sending domain in Acme'],
      ...['Single sign-on was changed in Acme', 'Single sign-on was removed in Acme'],
    ];
    expect(await sentTo()).toEqual([told, told, []]);
    const [key, byCli, domain] = mailsTo(world, first.email);
    expect(key!.text).toMatch(
      new RegExp(
        `^Name: web shop\nScopes: events:read\nBy: ${first.email}\nAddress: [\\d.]+\nTime: .* UTC$`,
        'm',
      ),
    );
    expect(key!.text).toContain('https://api.test/api-keys');
    expect(byCli!.text).toContain('\nBy: test\nTime: ');
    expect(domain!.text).toContain(`\nBy: ${member.email}\n`);
  });

  test('read about a new webhook, and another URL of one or of inbound mail; its host, not what is secret in it', async () => {
    const { first, member, sentTo } = await tenant();
    const url = 'http://127.0.0.1:9/s3cret?token=s3cret';
    const CREATE =
      'mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }';
    const made = await ask(member, CREATE, { input: { url, eventTypes: ['*'] } });
    const { id } = made.json.data.createWebhook.webhook;
    const UPDATE =
      'mutation($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { id } } }';
    await ask(member, UPDATE, { input: { id, url, enabled: false } }); // the same URL
    await ask(member, UPDATE, { input: { id, url: 'http://127.0.0.1:99/s3cret' } });
    const INBOUND = `mutation($input: UpdateInboundWebhookInput!) {
      updateInboundWebhook(input: $input) { inboundWebhook { enabled } } }`;
    await ask(member, INBOUND, { input: { webhookUrl: url } });
    await ask(member, INBOUND, { input: { webhookUrl: url, enabled: false } });
    const told = [
      ...['New webhook in Acme', 'A webhook has another URL in Acme'],
      'Inbound mail goes to another URL in Acme',
    ];
    expect(await sentTo()).toEqual([told, told, []]);
    const mails = mailsTo(world, first.email);
    expect(mails.map(({ text }) => /^Host: (.*)$/m.exec(text)?.[1])).toEqual([
      ...['127.0.0.1:9', '127.0.0.1:99', '127.0.0.1:9'],
    ]);
    for (const { text } of mails) {
      expect(text).toContain(`\nBy: ${member.email}\n`);
      expect(text).not.toContain('s3cret');
    }
  });

  test('read about a domain that a key created, and which key that was', async () => {
    const { first, sentTo } = await tenant();
    const { key, keyId } = await world.makeKey({ tenantId: first.tenantId, scopes: ['domains:write'] });
    await world.call('POST', '/mail/domains', { key, body: { name: `d${newUuid().slice(-12)}.example` } });
    await sentTo();
    expect(mailsTo(world, first.email).at(-1)!.text).toContain(`By: ${toId('key', keyId)}`);
  });

  test('read nothing about a change that was refused', async () => {
    const { first, sentTo } = await tenant();
    await ask(first, CREATE_KEY, { input: { name: 'bad', scopes: ['root'] } });
    const name = `d${newUuid().slice(-12)}.example`;
    for (let n = 0; n < 2; n++) await ask(first, CREATE_DOMAIN, { input: { name } });
    expect((await sentTo())[0]).toEqual(['New sending domain in Acme']);
  });

  test('get it later when no sender answers; the change is made meanwhile, and nothing is sent twice', async () => {
    const { first, second } = await tenant();
    const answerBatch = world.stub.answerBatch;
    const ids: string[] = [];
    world.stub.answerBatch = (request) => {
      ids.push(...request.messages.map(({ messageId }) => messageId));
      return { ...answerBatch(request), items: [], refused: failed('unavailable').value };
    };
    try {
      const made = await ask(first, CREATE_KEY, { input: { name: 'web shop', scopes: ['events:read'] } });
      expect(made.json.errors).toBeUndefined();
      await sendSystemMail(world);
    } finally {
      world.stub.answerBatch = answerBatch;
    }
    const { pool } = world.context.db;
    const { rows } = await pool.query(
      'select attempts, next_attempt_at > now() as later from system_mails order by id',
    );
    expect(rows).toEqual([1, 2].map(() => ({ attempts: 1, later: true })));
    const before = world.stub.batches.length;
    await pool.query('update system_mails set next_attempt_at = created_at');
    await sendSystemMail(world);
    const again = world.stub.batches.slice(before).flatMap(({ messages }) => messages);
    expect(again.map(({ messageId }) => messageId)).toEqual([...new Set(ids)]); // so that the sender knows them
    expect([first, second].map(({ email }) => subjects(email).length)).toEqual([2, 2]);
    expect((await pool.query('select 1 from system_mails')).rowCount).toBe(0);
  });
});

test('mail waits while the domain of SYSTEM_MAIL_FROM is not verified, or the sender refuses it for that', async () => {
  const { email } = await person();
  await sendSystemMail(world);
  const { pool } = world.context.db;
  const { answerBatch } = world.stub;
  const before = mailsTo(world, email).length;
  const hold = (held: boolean) =>
    pool.query('update domain_claims set held = $2 where name = $1', [SYSTEM_DOMAIN, held]);
  const tries = async () => (await pool.query('select attempts from system_mails')).rows;
  const data = { id: 'dom_1', name: 'new.test' };
  await addSystemMail(pool, { recipient: email, tenantId: null }, { kind: 'domain_verified', data });
  try {
    await hold(false);
    await sendSystemMail(world);
    expect(await tries()).toEqual([{ attempts: 1 }]);
    await hold(true);
    world.stub.answerBatch = (request) => ({
      ...answerBatch(request),
      items: [],
      refused: failed('domain_not_verified').value,
    });
    await pool.query('update system_mails set next_attempt_at = created_at');
    await sendSystemMail(world);
    expect(await tries()).toEqual([{ attempts: 2 }]);
  } finally {
    await hold(true);
    world.stub.answerBatch = answerBatch;
  }
  await pool.query('update system_mails set next_attempt_at = created_at');
  await sendSystemMail(world);
  expect(await tries()).toEqual([]);
  expect(mailsTo(world, email).length).toBe(before + 2); // refused once, then accepted

  await addSystemMail(pool, { recipient: email, tenantId: null }, { kind: 'domain_verified', data });
  await pool.query(`update system_mails set created_at = now() - interval '21 hours'`);
  await hold(false);
  try {
    await sendSystemMail(world);
  } finally {
    await hold(true);
  }
  expect(await tries()).toEqual([]); // too late to be of use
});

describe('a person reads about', () => {
  const told = async ({ email }: Pick<Person, 'email'>) => {
    await sendSystemMail(world);
    return subjects(email).filter((subject) => subject !== 'New sign-in to your account');
  };
  const last = (who: Pick<Person, 'email'>) => mailsTo(world, who.email).at(-1)!.text;

  test('another password, by whom and from where', async () => {
    const me = await person();
    const CHANGE = 'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { ok } }';
    const next = 'another long password';
    await ask(me, CHANGE, { input: { currentPassword: 'not this one', newPassword: next } });
    expect(await told(me)).toEqual([]);
    await ask(me, CHANGE, { input: { currentPassword: PASSWORD, newPassword: next } });
    expect(await told(me)).toEqual(['Your password was changed']);
    expect(last(me)).toMatch(new RegExp(`^By: ${me.email}\nAddress: [\\d.]+\nTime: .* UTC$`, 'm'));
    expect(last(me)).toContain('https://api.test/forgot-password');

    await world.graphql(
      'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ok } }',
      { input: { email: me.email } },
      { headers: stranger() },
    );
    await sendSystemMail(world);
    const token = resetTokenIn(last(me));
    await world.graphql(
      'mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { email } }',
      { input: { token, password: 'yet another password' } },
      { headers: { 'x-forwarded-for': '198.51.100.77' } },
    );
    expect((await told(me)).at(-1)).toBe('Your password was reset');
    expect(last(me)).toContain('Address: 198.51.100.77');
  });

  test('their second factor: on, a recovery code used, off, taken away', async () => {
    const owner = await person();
    const me = await person('member', owner.tenantId);
    const elsewhere = await person('member');
    const run = (query: string, variables?: unknown) => ask(me, query, variables);
    const { recoveryCodes } = await setUp(run);
    expect(await told(me)).toEqual(['Two-factor authentication was turned on']);
    const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
    const input = { email: me.email, password: PASSWORD, code: recoveryCodes[0] };
    await world.graphql(LOGIN, { input }, { headers: { 'x-forwarded-for': '198.51.100.78' } });
    expect((await told(me)).at(-1)).toBe('A recovery code of your account was used');
    const used = mailsTo(world, me.email).find(({ subject }) => subject.startsWith('A recovery code'))!;
    expect(used.text).toContain('Left: 9\n');
    expect(used.text).toContain('Address: 198.51.100.78');
    const OFF = 'mutation($input: TurnOffSecondFactorInput!) { turnOffSecondFactor(input: $input) { ok } }';
    await run(OFF, { input: { password: PASSWORD, code: recoveryCodes[1] } });
    expect((await told(me)).slice(-2)).toEqual([
      'A recovery code of your account was used',
      'Two-factor authentication was turned off',
    ]);
    await setUp(run);
    const RESET =
      'mutation($input: ResetSecondFactorInput!) { resetSecondFactor(input: $input) { user { id } } }';
    await ask(owner, RESET, { input: { userId: me.id } });
    expect((await told(me)).at(-1)).toBe('Two-factor authentication was reset');
    expect(last(me)).toContain(`By: ${owner.email}\n`);
    await setUp((query, variables) => ask(elsewhere, query, variables));
    await resetSecondFactorOf(world.context, TESTER, elsewhere.email);
    expect((await told(elsewhere)).at(-1)).toBe('Two-factor authentication was reset');
    expect(await told(owner)).toEqual([]);
  });

  test('another role, and who gave it', async () => {
    const owner = await person();
    const me = await person('member', owner.tenantId);
    const CHANGE = 'mutation($input: ChangeRoleInput!) { changeRole(input: $input) { user { id } } }';
    await ask(owner, CHANGE, { input: { userId: me.id, role: 'member' } }); // no change
    expect(await told(me)).toEqual([]);
    await ask(owner, CHANGE, { input: { userId: me.id, role: 'viewer' } });
    expect(await told(me)).toEqual(['Your role was changed in Acme']);
    expect(last(me)).toContain(`Before: member\nNow: viewer\nBy: ${owner.email}\n`);
  });
});
