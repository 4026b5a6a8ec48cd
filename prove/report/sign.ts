// The signature of a report. The key is made for one run and its private half is thrown away, so a report cannot be
// changed after it was written without this showing. It does not say who ran it: for that, run it yourself.

import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

/** A report with its signature: Ed25519 over the UTF-8 bytes of `JSON.stringify(report)`. */
export interface Signed<T> {
  report: T;
  /** SPKI, PEM. */
  public_key: string;
  /** Base64. */
  signature: string;
}

/** Signs with a key that nobody has afterwards. */
export function signReport<T>(report: T): Signed<T> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    report,
    public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    signature: sign(null, bytesOf(report), privateKey).toString('base64'),
  };
}

/** Whether the report is the one that was signed. */
export function isIntact({ report, public_key: key, signature }: Signed<unknown>): boolean {
  return verify(null, bytesOf(report), createPublicKey(key), Buffer.from(signature, 'base64'));
}

function bytesOf(report: unknown): Buffer {
  return Buffer.from(JSON.stringify(report));
}
