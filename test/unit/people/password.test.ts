// Password hashes: which password fits, at what cost, and what older hashes do.

import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';

import { hashPassword, randomPassword, verifyPassword } from '../../../core/people/password.ts';

test('passwords verify, and only the right one', async () => {
  const password = randomPassword();
  const stored = await hashPassword(password);
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(password, stored)).toBe(true);
  expect(await verifyPassword(`${password}x`, stored)).toBe(false);
});

test('nobody’s costs as much as a wrong one: timing does not tell who has an account', async () => {
  // Processor time of this process, threads of its pool included: a busy machine does not change it.
  const cost = async (hash: string | null) => {
    const before = process.cpuUsage();
    expect(await verifyPassword('wrong', hash)).toBe(false);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const stored = await hashPassword('right');
  const [wrong, nobody] = [await cost(stored), await cost(null)];
  expect(nobody).toBeGreaterThan(wrong / 4);
});

test('an older, cheaper hash still verifies', async () => {
  // RFC 9106's algorithm with m=8 KiB, t=1, made by this function's own format.
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
