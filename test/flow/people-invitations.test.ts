// People come into a tenant by an invitation: mailed, accepted once, replaced, revoked, refused.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { userActor } from '../../core/audit/actor.ts';
import { Stream } from '../../core/gen/sender/v1/sender.ts';
import { invitePerson } from '../../core/people/invitations.ts';
import { mailedToken } from '../harness/invitations.ts';
import { failed } from '../harness/stub-sender.ts';
import type { ApiWorld, RunningApi } from '../harness/api-world.ts';
import { openPeopleWorld, peopleSteps, PASSWORD, type Person } from '../harness/people-world.ts';
import { code, words } from '../harness/sign-in.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  ({ world, other } = await openPeopleWorld());
});
afterAll(() => world.close());

const { person, login, ask, tenantsOf, invite, invited, accept, offer } = peopleSteps(() => ({
  world,
  other,
}));

describe('invitations', () => {
  test('from link to signed-in person; only the hash is stored; once', async () => {
    const owner = await person();
    const email = `New.${newUuid()}@Example.com`;
    const answer = await invite(owner, email);
    const token = mailedToken(world, email);
    expect(answer.text).not.toContain(token);
    expect(answer.text).not.toContain('/invite/');
    const made = { ...answer.json.data.invitePerson, token };
    expect(world.stub.batches.at(-1)!.messages[0]!.message).toMatchObject({
      from: 'Postrider <no-reply@system.test>',
      to: [email.replace('Example.com', 'example.com')],
      subject: 'Invitation to Acme',
      text: expect.stringContaining(`https://api.test/invite/${token}`),
      ...{ trackOpens: false, trackClicks: false, stream: Stream.STREAM_TRANSACTIONAL },
    });
    expect(made.invitation).toMatchObject({
      email: email.toLowerCase(),
      role: 'member',
      invitedBy: owner.email,
    });
    const days = Date.parse(made.invitation.expiresAt) - Date.parse(made.invitation.createdAt);
    expect(days / 86_400_000).toBeCloseTo(7, 3);
    const { rows } = await world.context.db.pool.query('select * from invitations where tenant_id = $1', [
      owner.tenantId,
    ]);
    expect(rows[0].token_hash).toHaveLength(32);
    expect(await offer(made.token)).toMatchObject({ tenantName: 'Acme', email: email.toLowerCase() });
    const listed = await ask(owner, '{ invitations { id } }');
    expect(listed.json.data.invitations).toEqual([{ id: made.invitation.id }]);

    const short = await accept(made.token, 'short');
    expect([code(short), words(short)]).toEqual([
      'validation_failed',
      'password must have 12 to 256 characters.',
    ]);
    const foreign = await accept(made.token, PASSWORD, { origin: 'https://evil.test' });
    expect(code(foreign)).toBe('forbidden');
    const both = await Promise.all([accept(made.token), accept(made.token)]);
    const accepted = both.find(({ json }) => !json.errors)!;
    expect(both.filter((one) => code(one) === 'not_found')).toHaveLength(1);
    expect(accepted.json.data.acceptInvitation.user).toMatchObject({
      email: email.toLowerCase(),
      role: 'member',
    });
    expect(accepted.headers['set-cookie']?.[0]).toContain('SameSite=Strict');
    expect(await offer(made.token)).toBeNull();
    expect((await login({ email, password: PASSWORD })).token).toBeTruthy();
    expect((await ask(owner, '{ invitations { id } }')).json.data.invitations).toEqual([]);
  });

  test('replaced, revoked, over, made up: none works', async () => {
    const owner = await person();
    const email = `x${newUuid()}@example.com`;
    const first = await invited(owner, email);
    const second = await invited(owner, email, 'owner');
    expect(code(await accept(first.token))).toBe('not_found');
    const REVOKE = 'mutation($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { id } }';
    const revoke = (by: Person) => ask(by, REVOKE, { input: { id: second.invitation.id } });
    expect(code(await revoke(await person()))).toBe('not_found');
    expect((await revoke(owner)).json.data.revokeInvitation.id).toBe(second.invitation.id);
    expect(code(await revoke(owner))).toBe('not_found');
    expect(code(await accept(second.token))).toBe('not_found');
    const third = await invited(owner, email);
    await world.context.db.pool.query('update invitations set expires_at = now() where tenant_id = $1', [
      owner.tenantId,
    ]);
    for (const token of [third.token, 'A'.repeat(43), '', 'x y']) {
      expect([code(await accept(token)), await offer(token)]).toEqual(['not_found', null]);
    }
  });

  test('not for a person of the tenant, not by members, not to super_admin by an owner', async () => {
    const owner = await person();
    const here = await person('viewer', owner.tenantId);
    expect(code(await invite(owner, here.email.toUpperCase()))).toBe('conflict');
    expect(code(await invite(owner, 'no address'))).toBe('validation_failed');
    expect(code(await invite(owner, 'a@example.com', 'super_admin'))).toBe('forbidden');
    expect(code(await invite(await person('member', owner.tenantId), 'a@example.com'))).toBe('forbidden');
  });

  test('a mail that was refused leaves an invitation that says so, and is sent again by inviting again', async () => {
    const owner = await person();
    const email = `r${newUuid()}@example.com`;
    const { answerBatch } = world.stub;
    world.stub.answerBatch = ({ messages }) => ({
      items: messages.map(() => ({ outcome: failed('quota_exceeded') })),
      quota: undefined,
      replayed: false,
      refused: undefined,
    });
    const refused = await invited(owner, email);
    world.stub.answerBatch = answerBatch;
    expect(refused.invitation.mail).toBeNull();
    const listed = await ask(owner, '{ invitations { email mail } }');
    expect(listed.json.data.invitations).toEqual([{ email, mail: null }]);
    expect((await invited(owner, email)).invitation.mail).toBe('queued');
    for (let times = 3; times <= 5; times++) await invited(owner, email);
    expect(code(await invite(owner, email))).toBe('rate_limited');
  });

  test('without a verified sender the answer says which setting to set', async () => {
    const owner = await person();
    const { config } = world.deps;
    const tried = ['Postrider <no-reply@unverified.test>', undefined].map(async (from) => {
      const deps = { ...world.deps, config: { ...config, SYSTEM_MAIL_FROM: from } };
      const by = userActor({ id: owner.userId, email: owner.email }, null);
      const manager = { tenantId: owner.tenantId, role: 'owner' as const };
      const input = { email: 'a@example.com', role: 'member' as const };
      return invitePerson(deps, by, manager, input).catch((error) => error);
    });
    for (const refusal of await Promise.all(tried)) {
      expect(refusal).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('SYSTEM_MAIL_FROM'),
      });
    }
    expect((await ask(owner, '{ invitations { id } }')).json.data.invitations).toEqual([]);
  });

  test('a person of another tenant proves their own password, and is in both', async () => {
    const owner = await person();
    const elsewhere = await person();
    const stranger = `s${newUuid()}@example.com`;
    const asked = await Promise.all([invite(owner, elsewhere.email), invite(owner, stranger)]);
    const shapes = asked.map(({ json }) => {
      const { invitation, ...rest } = json.data.invitePerson;
      return [Object.keys(rest), Object.keys(invitation)];
    });
    expect(shapes[0]).toEqual(shapes[1]);
    const token = mailedToken(world, elsewhere.email);
    const chosen = await accept(token, 'a password that the inviter would choose');
    expect([code(chosen), words(chosen)]).toEqual(['validation_failed', 'password is wrong.']);
    expect((await login(elsewhere)).token).toBeTruthy();
    const accepted = (await accept(token, elsewhere.password)).json.data.acceptInvitation;
    expect(accepted.user).toMatchObject({ id: elsewhere.id, role: 'member' });
    expect(await tenantsOf(accepted.accessToken)).toEqual([
      [owner.tenantId, 'member'],
      [elsewhere.tenantId, 'owner'],
    ]);
  });
});
