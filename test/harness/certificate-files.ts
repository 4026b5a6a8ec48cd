// The throw-away certificate as files, for services that read theirs from disk.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SELF_SIGNED } from './certificate.ts';

/** Writes key and certificate and answers the settings that name them. */
export function writeTestCertificate(): { TLS_CERT_FILE: string; TLS_KEY_FILE: string } {
  const folder = join(import.meta.dirname, '../../.local/test-tls');
  mkdirSync(folder, { recursive: true });
  const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
  writeFileSync(files.TLS_CERT_FILE, SELF_SIGNED.cert);
  writeFileSync(files.TLS_KEY_FILE, SELF_SIGNED.key, { mode: 0o600 });
  return files;
}
