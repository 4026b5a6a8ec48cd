import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { deriveKeys, ed25519FromSeed } from '../../../core/base/secrets.ts';
import { createAccessTokens } from '../../../core/people/access-token.ts';
import { createLookupCache } from '../../../core/base/lookup-cache.ts';
import { hashPassword, randomPassword, verifyPassword } from '../../../core/people/password.ts';
import { mintToken, tokenPrefix } from '../../../core/key/token-value.ts';

describe('key values', () => {
  test('have their shape and are never the same', () => {
    const values = Array.from({ length: 200 }, () => mintToken('sk_live_'));
    for (const value of values) expect(value).toMatch(/^sk_live_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
    expect(new Set(values).size).toBe(200);
    expect(tokenPrefix(mintToken('sa_live_'))).toBe('sa_live_');
  });

  test('with any one character changed, or two swapped, fail the checksum', () => {
    const value = mintToken('sk_live_');
    for (let at = 8; at < value.length; at++) {
      const other = value[at] === 'x' ? 'y' : 'x';
      expect(tokenPrefix(value.slice(0, at) + other + value.slice(at + 1)), `at ${at}`).toBeNull();
      if (value[at] === value[at - 1] || at < 9) continue;
      expect(
        tokenPrefix(value.slice(0, at - 1) + value[at]! + value[at - 1]! + value.slice(at + 1)),
      ).toBeNull();
    }
    for (const bad of [
      '',
      'sk_live_',
      `${value}0`,
      value.replace('sk_', 'sa_'),
      value.replace('live', 'test'),
    ]) {
      expect(tokenPrefix(bad)).toBeNull();
    }
  });
});

describe('passwords', () => {
  test('verify, and only the right one; nobody’s takes as long', async () => {
    const password = randomPassword();
    const stored = await hashPassword(password);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(password, stored)).toBe(true);
    expect(await verifyPassword(`${password}x`, stored)).toBe(false);
    const time = async (hash: string | null) => {
      const startedAt = performance.now();
      expect(await verifyPassword('wrong', hash)).toBe(false);
      return performance.now() - startedAt;
    };
    const [wrong, nobody] = [await time(stored), await time(null)];
    expect(nobody).toBeGreaterThan(wrong / 4);
  });

  test('an older, cheaper hash still verifies', async () => {
    // RFC 9106's algorithm with m=8 KiB, t=1, made by this function's own format.
    const { argon2Sync } = await import('node:crypto');
    const nonce = Buffer.alloc(16, 1);
    const hash = argon2Sync('argon2id', {
      message: 'old',
      nonce,
      memory: 8,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    });
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    expect(await verifyPassword('old', `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(hash)}`)).toBe(true);
  });
});

describe('access tokens', () => {
  const config = {
    MASTER_KEY: Buffer.alloc(32, 1),
    MASTER_KEY_PREVIOUS: undefined,
    PUBLIC_URL: 'https://a.test',
  };
  const claims = { userId: newUuid(), tenantId: newUuid(), sessionId: newUuid(), role: 'owner' as const };

  test('read back; other deployments, other kinds and changed ones do not', async () => {
    const tokens = createAccessTokens(config);
    const token = await tokens.signAccess(claims);
    expect(await tokens.verifyAccess(token)).toEqual(claims);
    const other = createAccessTokens({ ...config, MASTER_KEY: Buffer.alloc(32, 2) });
    const elsewhere = createAccessTokens({ ...config, PUBLIC_URL: 'https://b.test' });
    const refresh = await tokens.signRefresh(claims.sessionId);
    expect(await tokens.verifyRefresh(refresh)).toEqual({ sessionId: claims.sessionId });
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const forged = Buffer.from(payload, 'base64url').toString().replace('owner', 'super_admin');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const publicKey = createPublicKey(ed25519FromSeed(deriveKeys(config, 'jwt')[0]));
    expect(publicKey.asymmetricKeyType).toBe('ed25519');
    for (const bad of [
      await other.signAccess(claims),
      await elsewhere.signAccess(claims),
      refresh,
      `${header}.${Buffer.from(forged).toString('base64url')}.${signature}`,
      `${none}.${payload}.`,
      `${header}.${payload}`,
      'eyJ',
      '',
    ]) {
      expect(await tokens.verifyAccess(bad)).toBeNull();
    }
    expect(await tokens.verifyRefresh(token)).toBeNull();
  });

  test('of the previous master key are still good while rotating', async () => {
    const token = await createAccessTokens(config).signAccess(claims);
    const rotated = { ...config, MASTER_KEY: Buffer.alloc(32, 9), MASTER_KEY_PREVIOUS: config.MASTER_KEY };
    expect(await createAccessTokens(rotated).verifyAccess(token)).toEqual(claims);
  });
});

describe('the look-up cache', () => {
  test('shares reads, believes for a while from the start of the read, forgets failures and the oldest', async () => {
    let now = 0;
    let reads = 0;
    const lookup = createLookupCache<number>({ maxAgeMs: 800, maxEntries: 2, now: () => now });
    const read = async () => ++reads;
    expect(await Promise.all([lookup('a', read), lookup('a', read)])).toEqual([1, 1]);
    now = 799;
    expect(await lookup('a', read)).toBe(1);
    now = 800;
    expect(await lookup('a', read)).toBe(2);
    await expect(lookup('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await lookup('b', read)).toBe(3);
    await lookup('c', read);
    expect(await lookup('a', read)).toBe(5);
  });
});
