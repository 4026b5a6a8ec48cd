// SSO answers whose signature is over something else than what would be read.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ApiWorld } from '../harness/api-world.ts';
import type { AnswerChanges, SamlIdp } from '../harness/saml-idp.ts';
import { openSamlWorld, refreshCookie, samlSteps, type Org } from '../harness/saml-world.ts';

let world: ApiWorld;
let idp: SamlIdp;
beforeAll(async () => {
  ({ world, idp } = await openSamlWorld());
});
afterAll(async () => {
  await idp.close();
  await world.close();
});

const { person, org, signIn, whyRefused } = samlSteps(() => ({ world, idp }));

// The forms of Somorovsky et al., "On Breaking SAML" (2012): where the signed assertion goes, and where the forged one.
describe('wrapped signatures', () => {
  let to: Org;
  let email: string;
  beforeAll(async () => {
    to = await org();
    email = (await person(to.tenantId, 'member')).email;
  });

  const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0];
  const signatureOf = (xml: string) => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)![0];
  const forge = (assertion: string) =>
    assertion.replace(/ID="[^"]+"/, 'ID="_forged"').replace(/(<saml:NameID[^>]*>)[^<]+/, `$1${email}`);
  const bare = (assertion: string) => assertion.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
  const swap = (xml: string, into: string) => xml.replace(assertionOf(xml), () => into);
  const inside = (element: string, what: string, end: string) => element.replace(end, () => `${what}${end}`);
  const object = (what: string) =>
    `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${what}</ds:Object>`;
  const forgeResponse = (xml: string) =>
    swap(xml, bare(forge(assertionOf(xml)))).replace(/ID="_response/, 'ID="_forged_response');

  test.each<[string, NonNullable<AnswerChanges['sign']>, (xml: string) => string]>([
    [
      '1: the signed response inside the signature of a forged one',
      'both',
      (xml) => {
        const signature = inside(
          signatureOf(xml),
          object(xml.replace(/<ds:Signature .*?<\/ds:Signature>/s, '')),
          '</ds:Signature>',
        );
        return forgeResponse(xml).replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`);
      },
    ],
    [
      '2: the signed response beside its signature',
      'both',
      (xml) => {
        const original = xml.replace(/<ds:Signature .*?<\/ds:Signature>/s, '');
        return forgeResponse(xml).replace(
          '</saml:Issuer>',
          () => `</saml:Issuer>${signatureOf(xml)}${original}`,
        );
      },
    ],
    [
      '3: the forged assertion before the signed one',
      'assertion',
      (xml) => swap(xml, bare(forge(assertionOf(xml))) + assertionOf(xml)),
    ],
    [
      '4: the signed assertion inside the forged one',
      'assertion',
      (xml) => swap(xml, inside(bare(forge(assertionOf(xml))), assertionOf(xml), '</saml:Assertion>')),
    ],
    [
      '5: the forged assertion with the signature, the signed one at the end',
      'assertion',
      (xml) => {
        const original = assertionOf(xml);
        const forged = forge(original);
        return inside(swap(xml, forged), bare(original), '</samlp:Response>');
      },
    ],
    [
      '6: the signed assertion inside the signature of the forged one',
      'assertion',
      (xml) => {
        const original = assertionOf(xml);
        const forged = inside(forge(original), '', '</saml:Assertion>');
        return swap(
          xml,
          forged.replace('</ds:SignedInfo>', () => `</ds:SignedInfo>${bare(original)}`),
        );
      },
    ],
    [
      '7: the forged assertion inside extensions',
      'assertion',
      (xml) =>
        xml.replace(
          '<samlp:Status>',
          () => `<samlp:Extensions>${bare(forge(assertionOf(xml)))}</samlp:Extensions><samlp:Status>`,
        ),
    ],
    [
      '8: the signed assertion inside an object of the forged one’s signature',
      'assertion',
      (xml) => {
        const original = assertionOf(xml);
        return swap(xml, inside(forge(original), object(bare(original)), '</ds:Signature>'));
      },
    ],
    [
      'with the id of the signed one',
      'assertion',
      (xml) => {
        const original = assertionOf(xml);
        const id = /ID="([^"]+)"/.exec(original)![1]!;
        return swap(xml, forge(original).replace('_forged', id) + original);
      },
    ],
    [
      'with the forged one under another prefix',
      'assertion',
      (xml) => {
        const forged = bare(forge(assertionOf(xml)))
          .replaceAll('saml:', 'a:')
          .replaceAll('xmlns:saml', 'xmlns:a');
        return swap(xml, forged + assertionOf(xml));
      },
    ],
  ])('form %s', async (_name, sign, after) => {
    const answer = await signIn(to, { email: 'eve@elsewhere.test', sign, after });
    expect([answer.status, refreshCookie(answer)]).toEqual([403, undefined]);
    expect(await whyRefused(to)).not.toContain('has no account');
  });
});
