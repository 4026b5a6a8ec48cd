// Which passwords are refused because guessers try them first.

import { expect, test } from 'vitest';

import { addressIn, isCommonPassword } from '../../../core/people/common-password.ts';
import { checkPassword, randomPassword } from '../../../core/people/password.ts';
import { threadMs } from '../../harness/thread-time.ts';

test.each([
  'administrator',
  'ADMINistrator',
  '1qaz2wsx3edc',
  'Password1234',
  'password-2026',
  '!!Liverpool!!',
  'Monkey123456',
  'passwordpassword',
  'aaaaaaaaaaaa',
  'abcdabcdabcd',
  '------------',
  '123456123456',
  'ｐａｓｓｗｏｒｄ１２３４',
])('%s is common', async (password) => {
  expect(await isCommonPassword(password)).toBe(true);
});

test.each([
  'correct horse battery',
  'a password with words',
  'monkey829104772',
  'Tr0ub4dor&3xyz',
  '829104772381',
  '83!04?97#15%',
  'love}{:?><~|',
])('%s is not', async (password) => {
  expect(await isCommonPassword(password)).toBe(false);
});

test('a random one never is', async () => {
  for (let n = 0; n < 1_000; n++) expect(await isCommonPassword(randomPassword())).toBe(false);
});

test('a part of the address is found, however it is capitalised; short parts mean nothing', () => {
  expect(addressIn('i am Ann.Smith here', 'ann.smith@example.com')).toBe('ann.smith');
  expect(addressIn('we@EXAMPLE.COM!!', 'bo@example.com')).toBe('example.com');
  expect(addressIn('example everywhere', 'bo@mail.example.co.uk')).toBe('example');
  expect(addressIn('bo and com are fine', 'bo@acm.com')).toBeNull();
  expect(addressIn('correct horse battery', 'ann.smith@example.com')).toBeNull();
});

test('the error says what to do, and the longest password costs little', async () => {
  const refusal = (password: string) => checkPassword('password', password, 'ann.smith@example.com');
  await expect(refusal('short')).rejects.toThrow('must have 12 to 256 characters');
  await expect(refusal('Password1234')).rejects.toThrow('choose another one');
  await expect(refusal('ann.smith rules')).rejects.toThrow('must not contain "ann.smith"');
  await expect(refusal('correct horse battery')).resolves.toBeUndefined();
  const ms = threadMs(() => void isCommonPassword('ab'.repeat(127) + 'ba'));
  expect(ms).toBeLessThan(250);
});
