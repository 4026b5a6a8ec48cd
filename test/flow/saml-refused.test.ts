// SSO answers that are refused: over, for others, unsigned, used twice, from another identity provider.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ApiWorld } from '../harness/api-world.ts';
import { startSamlIdp, type AnswerChanges, type SamlIdp } from '../harness/saml-idp.ts';
import { openSamlWorld, refreshCookie, samlSteps, type Org } from '../harness/saml-world.ts';
import { stranger } from '../harness/sign-in.ts';
import { watchEventLoop } from '../harness/thread-time.ts';

let world: ApiWorld;
let idp: SamlIdp;
beforeAll(async () => {
  ({ world, idp } = await openSamlWorld());
});
afterAll(async () => {
  await idp.close();
  await world.close();
});

const { person, org, start, post, signIn, whyRefused } = samlSteps(() => ({ world, idp }));

describe('refused', () => {
  let to: Org;
  let email: string;
  beforeAll(async () => {
    to = await org();
    email = (await person(to.tenantId, 'member')).email;
  });

  const replaceAll = (from: string | RegExp, into: string) => (xml: string) => xml.replaceAll(from, into);
  const HOUR = 3_600_000;
  test.each<[string, AnswerChanges, RegExp]>([
    ['over', { shiftMs: -HOUR / 6 }, /expired|over|subject confirmation/],
    ['of tomorrow', { shiftMs: HOUR }, /not yet valid|over/],
    [
      'for another audience',
      { before: replaceAll(/<saml:Audience>[^<]+/g, '<saml:Audience>https://x.test') },
      /audience/,
    ],
    [
      'for another recipient',
      { before: replaceAll(/Recipient="[^"]+"/g, 'Recipient="https://x.test/acs"') },
      /recipient/,
    ],
    [
      'for another destination',
      { before: replaceAll(/Destination="[^"]+"/g, 'Destination="https://x.test"') },
      /destination/,
    ],
    [
      'of another issuer',
      { before: replaceAll(/<saml:Issuer>[^<]+/g, '<saml:Issuer>https://x.test') },
      /issuer/,
    ],
    ['without conditions', { before: replaceAll(/<saml:Conditions.*<\/saml:Conditions>/g, '') }, /./],
    [
      'without an audience',
      { before: replaceAll(/<saml:AudienceRestriction.*<\/saml:AudienceRestriction>/g, '') },
      /[Aa]udience/,
    ],
    [
      'without a confirmation',
      { before: replaceAll(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/g, '') },
      /./,
    ],
    [
      'without a sign-in',
      { before: replaceAll(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/g, '') },
      /signed in/,
    ],
    ['unsigned', { sign: 'nothing' }, /signature/],
    ['with a signed response only', { sign: 'response' }, /signature/],
    ['signed with SHA-1', { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }, /SHA-256/],
    ['changed after signing', { after: replaceAll(/(<saml:NameID[^>]*>)/g, '$1x') }, /signature/i],
    [
      'with a changed signature',
      { after: replaceAll('<ds:SignatureValue>', '<ds:SignatureValue>AAAA') },
      /signature/i,
    ],
    ['saying that it failed', { before: replaceAll('status:Success', 'status:Responder') }, /status/],
    ['with a DTD', { after: (xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}` }, /plain XML/],
    // Read only after its request was found, and used up by it.
    ['cut off', { after: (xml) => xml.slice(0, -20) }, /is not plain/],
    ['with CDATA', { after: replaceAll(/(<saml:NameID[^>]*>)([^<]+)/g, '$1<![CDATA[$2]]>') }, /plain XML/],
    ['with an instruction', { after: replaceAll('<saml:Subject>', '<?x y?><saml:Subject>') }, /plain XML/],
    [
      'with two assertions',
      { after: replaceAll(/(<saml:Assertion.*<\/saml:Assertion>)/g, '$1$1') },
      /one assertion/,
    ],
  ])('an answer %s', async (_name, changes, why) => {
    const answer = await signIn(to, { email, ...changes });
    expect([answer.status, refreshCookie(answer)]).toEqual([
      answer.text.includes('Start the sign-in again') ? 400 : 403,
      undefined,
    ]);
    expect(answer.text).not.toMatch(/at .*\.(ts|js):\d+/);
    // A document that is not read names no request, so nobody's log has it.
    if (!/plain XML/.test(why.source)) expect(await whyRefused(to)).toMatch(why);
  });

  test('a comment in the NameID: signed as one name, read as another', async () => {
    const evil = await signIn(to, {
      email: `${email}.evil.test`,
      after: replaceAll(email, `${email}<!---->`),
    });
    expect([evil.status, refreshCookie(evil)]).toEqual([400, undefined]);
  });

  test('a second use: of the request, of the assertion, by another browser, for another tenant', async () => {
    const { location, cookie } = await start(to);
    const response = await idp.answer(location, { email });
    const stolen = await start(to);
    expect((await post(to, response, stolen.cookie)).status).toBe(400);
    expect((await post(to, response, '')).status).toBe(400);
    expect((await post(await org(), response, cookie)).status).toBe(400);
    expect((await post(to, response, cookie)).status).toBe(200);
    expect((await post(to, response, cookie)).status).toBe(400);

    const { pool } = world.context.db;
    const again = await start(to);
    const id = /InResponseTo="([^"]+)"/.exec(Buffer.from(response, 'base64').toString())![1];
    await pool.query(
      `insert into saml_requests select $1, tenant_id, browser_hash from saml_requests
       where tenant_id = $2 order by created_at desc limit 1`,
      [id, to.tenantId],
    );
    const replayed = await post(to, response, again.cookie);
    expect([replayed.status, replayed.text]).toEqual([403, expect.stringContaining('already used')]);
  });

  test('of ten answers to one request at the same moment one works', async () => {
    const { location, cookie } = await start(to);
    const response = await idp.answer(location, { email });
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(to, response, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('an answer that nobody asked for, or later than ten minutes', async () => {
    const { location, cookie } = await start(to);
    const unasked = await idp.answer(location, { email, before: replaceAll(/ InResponseTo="[^"]+"/g, '') });
    expect((await post(to, unasked, cookie)).status).toBe(400);
    await world.context.db.pool.query("update saml_requests set created_at = now() - interval '11 minutes'");
    expect((await post(to, await idp.answer(location, { email }), cookie)).status).toBe(400);
  });

  test('another identity provider, even under the same name', async () => {
    const evil = await startSamlIdp({ entityId: idp.entityId });
    try {
      const answer = await signIn(to, { email }, evil);
      expect([answer.status, refreshCookie(answer)]).toEqual([403, undefined]);
      expect(await whyRefused(to)).toMatch(/signature/i);
      const own = await org({}, 'pro', evil);
      const { location, cookie } = await start(own);
      const forOther = await evil.answer(location, { email });
      expect((await post(own, forOther, cookie)).status).toBe(403); // nobody of that address in its own tenant
    } finally {
      await evil.close();
    }
  });

  test('bodies that are too large, of another kind, or nonsense', async () => {
    const { cookie } = await start(to);
    expect((await post(to, 'A'.repeat(100_000), cookie)).status).toBe(413);
    expect((await post(to, '%%%', cookie)).status).toBe(400);
    expect((await post(to, Buffer.from('<a>'.repeat(1000)).toString('base64'), cookie)).status).toBe(400);
    const wide = `<a InResponseTo="_a">${'<b/>'.repeat(15_000)}</a>`;
    const busy = watchEventLoop();
    for (const costly of [Buffer.from(wide).toString('base64'), `A${' '.repeat(90_000)}!`])
      expect((await post(to, costly, cookie)).status).toBe(400);
    expect(await busy.stop()).toBeLessThan(1_000); // the blanks took 10 s, the tags most of a minute
    const json = await world.call('POST', `${to.path}/acs`, { body: {}, headers: { cookie, ...stranger() } });
    expect([json.status, json.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8']);
    expect((await world.call('GET', '//saml/tnt_nothing/login', { headers: stranger() })).status).toBe(404);
  });
});
