// RSA-2048 signatures on the thread pool, as DKIM makes them: how many this machine can make a second.

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

import { serveWorker } from '../worker.ts';

const IN_FLIGHT = 8;
const HEADER_BYTES = 600; // what a DKIM signature covers of the headers

serveWorker({ run });

/** Signatures per second. */
async function run(seconds: number): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signAsync = promisify(sign);
  const header = randomBytes(HEADER_BYTES);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let made = 0;
  const worker = async () => {
    while (performance.now() < endsAt) {
      await signAsync('sha256', header, privateKey);
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return made / ((performance.now() - startedAt) / 1000);
}
