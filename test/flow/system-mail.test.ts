// Mail about what happens to an account: to the person, or to the owners of the tenant; with the change, or not at all.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createKey } from '../../core/key/keys.ts';
import { mailOwners } from '../../core/system-mail/system-mail-store.ts';
import { TESTER } from '../harness/actor.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { mailsTo, sendSystemMail } from '../harness/invitations.ts';
import { openPeopleWorld, peopleSteps, type Person } from '../harness/people-world.ts';
import { startSamlIdp } from '../harness/saml-idp.ts';
import { SAVE_CONNECTION } from '../harness/saml-world.ts';
import { login, makePerson } from '../harness/sign-in.ts';
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
