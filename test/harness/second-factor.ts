// A second factor as its person has it: an authenticator app, here another one than the service's own code checks with.

import { createHmac } from 'node:crypto';

import type { Answer } from './api-world.ts';

const STEP_SECONDS = 30;

/**
 * What an app shows for this secret (base32): now, or so many steps of 30 seconds later. Made from RFC 6238 and RFC 4226
 * alone.
 */
export function appCode(secret: string, later = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_SECONDS) + later));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const value = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = text.replaceAll(/./g, (char) => alphabet.indexOf(char).toString(2).padStart(5, '0'));
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Sets up a second factor, with the code of 30 seconds ago: `used`. `ask` runs GraphQL as the person. */
export async function setUp(ask: (query: string, variables?: unknown) => Promise<Answer>) {
  const started = await ask('mutation { startSecondFactor { secret url } }');
  const { secret, url } = started.json.data.startSecondFactor as { secret: string; url: string };
  const used = appCode(secret, -1);
  const confirmed = await ask(CONFIRM, { input: { code: used } });
  const { recoveryCodes } = confirmed.json.data.confirmSecondFactor as { recoveryCodes: string[] };
  return { secret, url, used, recoveryCodes };
}

/** The mutation that turns it on. */
export const CONFIRM =
  'mutation($input: ConfirmSecondFactorInput!) { confirmSecondFactor(input: $input) { recoveryCodes } }';
