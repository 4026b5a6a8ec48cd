// A forgotten password: asked for by anybody, mailed to those who have an account, used once.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { mailsTo, resetTokenIn, sendSystemMail } from '../harness/invitations.ts';
import { statementsWaiting } from '../harness/lock-waits.ts';
import { openPeopleWorld, peopleSteps, PASSWORD, type Person } from '../harness/people-world.ts';
import { setUp } from '../harness/second-factor.ts';
import { code, stranger, words } from '../harness/sign-in.ts';
import { failed } from '../harness/stub-sender.ts';
import { waitUntil } from '../harness/wait.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  ({ world, other } = await openPeopleWorld());
});
afterAll(() => world.close());

const { person, login, ask, invited, outWithinASecond } = peopleSteps(() => ({ world, other }));

const ASK = 'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ok } }';
const OFFER = 'query($token: String!) { passwordReset(token: $token) { email } }';
const RESET = 'mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { email } }';
const NEXT = 'another long password';

const asked = (email: string, headers: Record<string, string> = {}) =>
  world.graphql(ASK, { input: { email } }, { headers: { ...stranger(), ...headers } });
const offer = async (token: string) =>
  (await world.graphql(OFFER, { token }, { headers: stranger() })).json.data.passwordReset as object | null;
const reset = (token: string, password = NEXT, headers: Record<string, string> = {}) =>
  world.graphql(RESET, { input: { token, password } }, { headers: { ...stranger(), ...headers } });

/** The token in the mail that a person gets. */
async function mailed(who: Pick<Person, 'email'>): Promise<string> {
  expect((await asked(who.email)).json.data.requestPasswordReset.ok).toBe(true);
  await sendSystemMail(world);
  const texts = mailsTo(world, who.email).map(({ text }) => text);
  return resetTokenIn(texts.findLast((text) => text.includes('/reset-password/')) ?? '');
}

const waiting = async () => {
  const { rows } = await world.context.db.pool.query('select kind, recipient from system_mails order by id');
  return rows as object[];
};

describe('asking', () => {
  test('does and answers the same for everybody; only who has an account gets mail', async () => {
    const me = await person();
    await sendSystemMail(world);
    const nobody = `nobody${newUuid()}@example.com`;
    const left = await person('member', me.tenantId);
    const REMOVE = 'mutation($input: RemovePersonInput!) { removePerson(input: $input) { id } }';
    await ask(me, REMOVE, { input: { userId: left.id } });
    const typed = [me.email.toUpperCase(), nobody, left.email];
    const answers = [];
    for (const email of typed) answers.push(await asked(email));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.json).toEqual({ data: { requestPasswordReset: { ok: true } } });
    // All that asking did; whether there is an account is looked at later, elsewhere.
    expect(await waiting()).toEqual(
      [me.email, nobody, left.email].map((recipient) => ({ kind: 'password_reset', recipient })),
    );
    await sendSystemMail(world);
    expect(await waiting()).toEqual([]);
    expect([me, { email: nobody }, left].map(({ email }) => mailsTo(world, email).length)).toEqual([1, 0, 0]);
    expect(mailsTo(world, me.email)[0]).toMatchObject({
      from: 'Postrider <no-reply@system.test>',
      subject: 'Reset your password',
      ...{ trackOpens: false, trackClicks: false },
    });
    expect(code(await asked('no address'))).toBe('validation_failed');
  });

  test('is limited by address and by client, whoever has an account', async () => {
    const me = await person();
    for (const email of [me.email, `nobody${newUuid()}@example.com`]) {
      const codes = [];
      const from = stranger();
      for (let n = 0; n < 4; n++) codes.push(code(await asked(email, from)));
      expect(codes).toEqual([undefined, undefined, undefined, 'rate_limited']);
    }
    const one = { 'x-forwarded-for': '198.51.100.20' };
    const codes = [];
    for (let n = 0; n < 21; n++) codes.push(code(await asked(`n${newUuid()}@example.com`, one)));
    expect(codes).toEqual([...Array.from({ length: 20 }, () => undefined), 'rate_limited']);
    await sendSystemMail(world);
  });

  test('who signs in with SSO only is told so; without a sender of such mail everybody hears that', async () => {
    const owner = await person();
    const me = await person('member', owner.tenantId);
    const { pool } = world.context.db;
    await pool.query('update users set password_hash = null where id = $1', [me.userId]);
    await asked(me.email);
    await sendSystemMail(world);
    expect(mailsTo(world, me.email).at(-1)!.text).toContain('You sign in with SSO');
    await pool.query("update domain_claims set held = false where name = 'system.test'");
    try {
      for (const email of [owner.email, `nobody${newUuid()}@example.com`]) {
        const refused = await asked(email);
        expect([code(refused), words(refused)]).toEqual([
          'conflict',
          expect.stringContaining('the domain of SYSTEM_MAIL_FROM, system.test, is not verified'),
        ]);
      }
    } finally {
      await pool.query("update domain_claims set held = true where name = 'system.test'");
    }
  });
});

describe('the link', () => {
  test('sets a new password once, signs nobody in, and ends every session', async () => {
    const me = await person();
    const elsewhere = await login(me);
    const second = await person();
    const join = await invited(second, me.email, 'viewer');
    await world.graphql(
      'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { accessToken } }',
      { input: { token: join.token, password: PASSWORD } },
      { headers: stranger() },
    );
    const from = { 'x-forwarded-for': '198.51.100.21' };
    for (let n = 0; n < 10; n++) await login({ ...me, password: `wrong password ${n}` }, from);
    expect(code((await login(me, from)).answer)).toBe('rate_limited');

    const token = await mailed(me);
    const { rows } = await world.context.db.pool.query(
      `select reset_hash, extract(epoch from reset_expires_at - now())::int as seconds from users where id = $1`,
      [me.userId],
    );
    expect(rows[0].reset_hash).toHaveLength(32);
    expect(rows[0].seconds).toBeGreaterThan(3_500);
    expect(rows[0].seconds).toBeLessThanOrEqual(3_600);
    expect(await offer(token)).toEqual({ email: me.email });
    const local = me.email.split('@')[0]!;
    for (const [password, why] of [
      ['short', '12 to 256 characters'],
      ['Password1234', 'among the most used'],
      [`it is ${local}`, `must not contain "${local}"`],
    ] as const)
      expect(words(await reset(token, password))).toContain(why);
    const fromElsewhere = await reset(token, NEXT, { origin: 'https://evil.test' });
    expect(code(fromElsewhere)).toBe('forbidden');

    const done = await reset(token);
    expect(done.json.data.resetPassword).toEqual({ email: me.email });
    expect(done.headers['set-cookie']).toBeUndefined();
    await outWithinASecond(me.token);
    await outWithinASecond(elsewhere.token);
    expect(code((await login(me)).answer)).toBe('unauthorized');
    expect((await login({ ...me, password: NEXT }, from)).token).toBeTruthy(); // without waiting for the guesses before
    expect(code(await reset(token, 'yet another password'))).toBe('not_found');
    expect(await offer(token)).toBeNull();

    const { rows: log } = await world.context.db.pool.query(
      `select tenant_id, action, actor, ip, data from audit_log where action like 'user.password_reset%' and subject = $1
       order by action, tenant_id`,
      [me.id],
    );
    const tenants = [me.tenantId, second.tenantId].sort();
    expect(log).toMatchObject([
      ...tenants.map((tenant_id) => ({ tenant_id, action: 'user.password_reset', actor: me.id })),
      ...tenants.map((tenant_id) => ({ tenant_id, action: 'user.password_reset_asked', actor: 'nobody' })),
    ]);
    expect(log[0].data).toEqual({ sessions_ended: 3 });
    expect(log.every(({ ip }) => String(ip).startsWith('203.0.113.'))).toBe(true);
  });

  test('leaves a second factor as it is, and forgets no guesses at its codes', async () => {
    const me = await person();
    await setUp((query, variables) => ask(me, query, variables));
    const from = { 'x-forwarded-for': '198.51.100.22' };
    for (let n = 0; n < 10; n++) await login({ ...me, password: `wrong password ${n}` }, from);
    const token = await mailed(me);
    expect((await reset(token)).json.data.resetPassword).toEqual({ email: me.email });
    expect(code((await login({ ...me, password: NEXT }, from)).answer)).toBe('rate_limited');
    await world.context.db.pool.query('delete from sign_in_failures where starts_with(subject, $1)', [
      `email:${me.email}`,
    ]);
    expect(code((await login({ ...me, password: NEXT }, from)).answer)).toBe('second_factor_required');
  });

  test('works until a newer one is mailed, the password changes, or an hour is over', async () => {
    const me = await person();
    const first = await mailed(me);
    const newer = await mailed(me);
    expect([await offer(first), await offer(newer)]).toEqual([null, { email: me.email }]);
    const CHANGE = 'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { ok } }';
    await ask(me, CHANGE, { input: { currentPassword: PASSWORD, newPassword: NEXT } });
    expect(await offer(newer)).toBeNull();
    const late = await mailed(me);
    await world.context.db.pool.query('update users set reset_expires_at = now() where id = $1', [me.userId]);
    expect(code(await reset(late, 'yet another password'))).toBe('not_found');
    for (const nonsense of ['', 'x', 'x'.repeat(43), '0'.repeat(9_999)])
      expect(code(await reset(nonsense, 'yet another password'))).toBe('not_found');
  });

  test('that was used does not work again when its mail is tried again, because the answer of the sender was lost', async () => {
    const me = await person();
    await asked(me.email);
    const answerBatch = world.stub.answerBatch;
    world.stub.answerBatch = (request) => ({
      ...answerBatch(request),
      ...{ items: [], refused: failed('unavailable').value },
    });
    try {
      await sendSystemMail(world);
    } finally {
      world.stub.answerBatch = answerBatch;
    }
    const token = resetTokenIn(mailsTo(world, me.email)[0]!.text);
    expect((await reset(token)).json.data.resetPassword).toEqual({ email: me.email });
    await world.context.db.pool.query('update system_mails set next_attempt_at = created_at');
    await sendSystemMail(world);
    const subjects = mailsTo(world, me.email).map(({ subject }) => subject);
    expect([await offer(token), await waiting(), subjects]).toEqual([
      null,
      [],
      ['Reset your password', 'Your password was reset'],
    ]);
  });

  test('lets no sign-in with the old password through that is under way', async () => {
    const me = await person();
    const { pool } = world.context.db;
    const client = await pool.connect();
    await client.query('begin');
    await client.query("update users set password_hash = 'another' where id = $1", [me.userId]);
    const underWay = login(me); // with the password that was right when it was looked at
    const waits = async () => (await statementsWaiting(pool)).length === 1;
    try {
      await waitUntil(waits);
    } finally {
      await client.query('commit');
      client.release();
    }
    expect(code((await underWay).answer)).toBe('unauthorized');
  });

  test('of two who use it together, one sets the password', async () => {
    const token = await mailed(await person());
    const answers = await Promise.all(
      ['first of the passwords', 'second of the passwords'].map((password) => reset(token, password)),
    );
    expect(new Set(answers.map(code))).toEqual(new Set(['not_found', undefined]));
  });
});
