// Mail that real programs sent, kept as it was on the wire (test/fixtures/captured/README.md).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../fixtures/captured');

/** Names of all captured messages, without `.eml`, in order. */
export function capturedNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => file.slice(0, -'.eml'.length))
    .toSorted();
}

/** The bytes of one captured message. */
export function capturedMail(name: string): Buffer {
  return readFileSync(join(FOLDER, `${name}.eml`));
}

/** The DNS record of the key that signed a captured message. */
export function capturedDkimRecord(name: string): string {
  return readFileSync(join(FOLDER, `${name}.dkim.txt`), 'utf8').trim();
}
