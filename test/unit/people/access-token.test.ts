// Access and refresh tokens: whose are believed.

import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { deriveKeys, ed25519FromSeed } from '../../../core/base/secrets.ts';
import { createAccessTokens } from '../../../core/people/access-token.ts';

const config = {
  MASTER_KEY: Buffer.alloc(32, 1),
  MASTER_KEY_PREVIOUS: undefined,
  PUBLIC_URL: 'https://a.test',
};
const claims = { userId: newUuid(), tenantId: newUuid(), sessionId: newUuid(), role: 'owner' as const };

test('tokens read back; other deployments, other kinds and changed ones do not', async () => {
  const tokens = createAccessTokens(config);
  const token = await tokens.signAccess(claims);
  expect(await tokens.verifyAccess(token)).toEqual(claims);
  const other = createAccessTokens({ ...config, MASTER_KEY: Buffer.alloc(32, 2) });
  const elsewhere = createAccessTokens({ ...config, PUBLIC_URL: 'https://b.test' });
  const refresh = await tokens.signRefresh(claims.sessionId);
  expect(await tokens.verifyRefresh(refresh)).toEqual({ sessionId: claims.sessionId });
  const browser = await tokens.signBrowser('ann@example.com');
  expect(await tokens.verifyBrowser(browser, 'ann@example.com')).toMatch(/^[0-9a-f-]{36}$/);
  expect(browser).not.toContain(Buffer.from('ann@example.com').toString('base64url').slice(0, 12));
  expect(await tokens.verifyBrowser(browser, 'bob@example.com')).toBeNull();
  for (const bad of [token, refresh, await other.signBrowser('ann@example.com')])
    expect(await tokens.verifyBrowser(bad, 'ann@example.com')).toBeNull();
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const forged = Buffer.from(payload, 'base64url').toString().replace('owner', 'super_admin');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const publicKey = createPublicKey(ed25519FromSeed(deriveKeys(config, 'jwt')[0]));
  expect(publicKey.asymmetricKeyType).toBe('ed25519');
  for (const bad of [
    await other.signAccess(claims),
    await elsewhere.signAccess(claims),
    refresh,
    browser,
    `${header}.${Buffer.from(forged).toString('base64url')}.${signature}`,
    `${none}.${payload}.`,
    `${header}.${payload}`,
    // The same octets, written otherwise: bits that base64url leaves over, padding, a letter that decoders skip.
    `${header}.${payload}.${otherLastLetter(signature)}`,
    `${token}==`,
    `${header}.${payload}.!${signature}`,
    'eyJ',
    '',
  ]) {
    expect(await tokens.verifyAccess(bad)).toBeNull();
  }
  for (const bad of [token, browser]) expect(await tokens.verifyRefresh(bad)).toBeNull();
});

// 64 octets are 85 letters and two bits: the last letter has four bits that decoders ignore.
function otherLastLetter(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = text.slice(0, -1) + letters[letters.indexOf(text.at(-1)!) + 1]!;
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(text, 'base64url'));
  return other;
}

test('tokens of the previous master key are still good while rotating', async () => {
  const token = await createAccessTokens(config).signAccess(claims);
  const rotated = { ...config, MASTER_KEY: Buffer.alloc(32, 9), MASTER_KEY_PREVIOUS: config.MASTER_KEY };
  expect(await createAccessTokens(rotated).verifyAccess(token)).toEqual(claims);
});
