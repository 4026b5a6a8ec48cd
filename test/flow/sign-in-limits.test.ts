// Guessing is limited by account and network, so that failures from one network do not lock the account elsewhere.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import type { Answer, ApiWorld, RunningApi } from '../harness/api-world.ts';
import { openPeopleWorld, PASSWORD, peopleSteps, type Person } from '../harness/people-world.ts';
import { appCode, setUp } from '../harness/second-factor.ts';
import { code, stranger, words } from '../harness/sign-in.ts';

let world: ApiWorld;
let other: RunningApi;
beforeAll(async () => {
  ({ world, other } = await openPeopleWorld());
});
afterAll(() => world.close());
// The apis run in this process. Its clock stands still in each test: a code of the last 30 seconds stays good.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const { person, ask } = peopleSteps(() => ({ world, other }));

const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
const from = (network: number) => ({ 'x-forwarded-for': `198.51.100.${network}` });
const login = (
  who: Pick<Person, 'email'>,
  given: object = {},
  headers: Record<string, string> = stranger(),
  api: RunningApi = world,
) => api.graphql(LOGIN, { input: { email: who.email, password: PASSWORD, ...given } }, { headers });
const isIn = (answer: Answer) => typeof answer.json.data?.login?.accessToken === 'string';
const guess = (who: Pick<Person, 'email'>, headers: Record<string, string>) =>
  login(who, { password: `a wrong password` }, headers);
/** The cookie by which the browser of a sign-in is known. */
const known = (answer: Answer) => {
  const line = answer.headers['set-cookie']?.find((one) => one.startsWith('__Secure-postrider_known='));
  return { cookie: line?.split(';')[0] ?? '' };
};
/** Ten wrong passwords from one network. */
async function tenGuesses(who: Pick<Person, 'email'>, network: number): Promise<void> {
  for (let n = 0; n < 10; n++) expect(code(await guess(who, from(network)))).toBe('unauthorized');
  expect(code(await guess(who, from(network)))).toBe('rate_limited');
}
/** Wrong passwords from many networks; the time that they take is played in the record. */
const fromEverywhere = (who: Pick<Person, 'email'>, failures: number) =>
  world.context.db.pool.query(
    'insert into sign_in_failures (subject) select $1 from generate_series(1, $2::int)',
    [`email:${who.email}`, failures],
  );

describe('ten wrong passwords from one network', () => {
  test('lock the account there, and for the owner neither elsewhere nor in an open session', async () => {
    const me = await person();
    await tenGuesses(me, 1);
    expect(code(await login(me, {}, from(1)))).toBe('rate_limited'); // also with the right one
    expect(isIn(await login(me, {}, from(2)))).toBe(true);
    const CONFIRM = 'mutation { confirmIdentity(input: { password: "correct horse battery" }) { ok } }';
    expect(
      (await world.graphql(CONFIRM, {}, { key: me.token, headers: from(1) })).json.errors,
    ).toBeUndefined();
    const CHANGE = 'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { ok } }';
    const input = { currentPassword: PASSWORD, newPassword: 'another long password' };
    const changed = await world.graphql(CHANGE, { input }, { key: me.token, headers: from(1) });
    expect(changed.json.errors).toBeUndefined();
  });

  test('let a known browser and a second factor pass, on the same network too', async () => {
    const me = await person();
    const browser = known(await login(me, {}, from(3)));
    const { secret } = await setUp((query, variables) => ask(me, query, variables));
    await tenGuesses(me, 3);
    expect(code(await login(me, {}, { ...from(3), ...browser }))).toBe('second_factor_required');
    expect(isIn(await login(me, { code: appCode(secret) }, from(3)))).toBe(true);
    expect(code(await login(me, { code: '000000' }, from(3)))).toBe('rate_limited');
  });

  test('use up none of the owner’s resets', async () => {
    const me = await person();
    const ASK = 'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ok } }';
    const reset = async (headers: Record<string, string>) =>
      code(await world.graphql(ASK, { input: { email: me.email } }, { headers }));
    const asked = async (headers: Record<string, string>, times: number) => {
      const codes = [];
      for (let n = 0; n < times; n++) codes.push(await reset(headers));
      return codes;
    };
    const browser = known(await login(me));
    expect(await asked(from(4), 4)).toEqual([undefined, undefined, undefined, 'rate_limited']);
    expect(await asked(from(5), 1)).toEqual([undefined]);
    // What all networks may cause together in a mailbox.
    expect(await asked(from(5), 2)).toEqual([undefined, undefined]);
    expect(await asked(from(6), 3)).toEqual([undefined, undefined, undefined]);
    expect(await asked(from(7), 4)).toEqual([undefined, undefined, undefined, 'rate_limited']);
    expect(await asked(from(8), 1)).toEqual(['rate_limited']);
    expect(await asked({ ...from(8), ...browser }, 4)).toEqual([
      undefined,
      undefined,
      undefined,
      'rate_limited',
    ]);
    await world.context.db.pool.query('delete from system_mails');
  });
});

test('wrong passwords of a signed-in session hold up that session alone', async () => {
  const me = await person();
  const elsewhere = (await login(me)).json.data.login.accessToken as string;
  const confirm = async (token: string, password: string) =>
    code(await ask({ token }, `mutation { confirmIdentity(input: { password: "${password}" }) { ok } }`));
  for (let n = 0; n < 10; n++) expect(await confirm(me.token, 'not this one')).toBe('validation_failed');
  expect(await confirm(me.token, PASSWORD)).toBe('rate_limited');
  expect(await confirm(elsewhere, PASSWORD)).toBeUndefined();
  expect(isIn(await login(me))).toBe(true);
});

describe('wrong passwords from many networks', () => {
  test('end after fifty within an hour for browsers that are not known, on every process', async () => {
    const me = await person();
    const browser = known(await login(me));
    await fromEverywhere(me, 49);
    expect(code(await guess(me, stranger()))).toBe('unauthorized');
    for (const api of [world, other]) {
      const refused = await login(me, {}, stranger(), api);
      expect([code(refused), words(refused)]).toEqual([
        'rate_limited',
        expect.stringContaining('code of your second factor'),
      ]);
    }
    expect(isIn(await login(me, {}, { ...stranger(), ...browser }))).toBe(true);
    expect(code(await login(me)), 'a right password elsewhere gives back none of the guesses').toBe(
      'rate_limited',
    );
    await world.context.db.pool.query("update sign_in_failures set at = at - interval '61 minutes'");
    expect(isIn(await login(me))).toBe(true);
  });

  test('a second factor passes; without a good code nobody learns whether the password was right', async () => {
    const me = await person();
    const { secret } = await setUp((query, variables) => ask(me, query, variables));
    await fromEverywhere(me, 50);
    const answers = await Promise.all([
      login(me, { code: '000000' }),
      login(me, { code: '000000', password: 'a wrong password' }),
      login(me),
      login({ email: `nobody${newUuid()}@example.com` }, { code: '000000' }),
    ]);
    expect(answers.map(code)).toEqual(['rate_limited', 'rate_limited', 'rate_limited', 'unauthorized']);
    const now = appCode(secret);
    expect(isIn(await login(me, { code: now }))).toBe(true);
    expect(code(await login(me, { code: now }))).toBe('rate_limited'); // each code is good once
  });

  test('guesses at codes are slowed there too', async () => {
    const me = await person();
    const { secret } = await setUp((query, variables) => ask(me, query, variables));
    await fromEverywhere(me, 50);
    for (let n = 0; n < 10; n++) await login(me, { code: '000000' }, from(9));
    expect(code(await login(me, { code: appCode(secret) }, from(9)))).toBe('rate_limited');
    const all = 'insert into sign_in_failures (subject) select $1 from generate_series(1, 39)';
    await world.context.db.pool.query(all, [`code:${me.email}`]);
    expect(isIn(await login(me, { code: appCode(secret) }, from(10)))).toBe(true);
    await world.context.db.pool.query(all, [`code:${me.email}`]);
    expect(code(await login(me, { code: appCode(secret, 1) }, from(10)))).toBe('rate_limited');
  });
});

describe('a known browser', () => {
  test('is known for its person alone, and slowed by itself', async () => {
    const me = await person();
    const browser = known(await login(me));
    expect(browser.cookie).not.toBe('');
    const rival = known(await login(await person()));
    await fromEverywhere(me, 50);
    for (const cookie of [rival.cookie, '__Secure-postrider_known=made.up.token'])
      expect(code(await login(me, {}, { ...stranger(), cookie }))).toBe('rate_limited');
    for (let n = 0; n < 10; n++)
      expect(code(await guess(me, { ...stranger(), ...browser }))).toBe('unauthorized');
    expect(code(await guess(me, { ...stranger(), ...browser }))).toBe('rate_limited');
  });

  test('those of a person share fifty failures within an hour', async () => {
    const me = await person();
    const browser = known(await login(me));
    await world.context.db.pool.query(
      'insert into sign_in_failures (subject) select $1 from generate_series(1, 50)',
      [`known:${me.email}`],
    );
    expect(isIn(await login(me, {}, { ...stranger(), ...browser }))).toBe(true); // as any other browser
    await fromEverywhere(me, 50);
    expect(code(await login(me, {}, { ...stranger(), ...browser }))).toBe('rate_limited');
  });
});
