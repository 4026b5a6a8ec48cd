// A certificate authority of this checkout and a localhost certificate signed by it, made once and again when they
// come close to their end. Nothing of the system is changed: clients are given the CA file.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { nowMs } from '../core/base/clock.ts';
import { makeCertificate } from '../core/base/certificate.ts';

/** Where the local certificate lies. */
export interface TlsFiles {
  caFile: string;
  certFile: string;
  keyFile: string;
}

const DAY_MS = 86_400_000;
const CA_DAYS = 3650;
const CERT_DAYS = 397; // the longest that browsers accept
const RENEW_BEFORE_DAYS = 30;

/** COMPAT_HOSTS of `npm start`. */
export const LOCAL_COMPAT_HOSTS = {
  resend: 'resend.localhost',
  sendgrid: 'sendgrid.localhost',
  postmark: 'postmark.localhost',
};

/** Names and addresses of this machine that the certificate is good for. */
const NAMES = ['localhost', ...Object.values(LOCAL_COMPAT_HOSTS), '127.0.0.1', '::1'];

interface Authority {
  name: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** Makes what is missing or about to expire under `folder`. `now` is for tests. */
export async function ensureTls(folder: string, now = nowMs()): Promise<TlsFiles> {
  const files = {
    caFile: join(folder, 'ca.pem'),
    certFile: join(folder, 'localhost.pem'),
    keyFile: join(folder, 'localhost.key'),
  };
  if (await isGood(files, now)) return files;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const issuer = await loadAuthority(files.caFile, join(folder, 'ca.key'), now);
  const { publicKey, privateKey } = newKeys();
  const certificate = await makeCertificate({
    subject: 'localhost',
    issuer,
    publicKey,
    names: NAMES,
    ...lifetime(now, CERT_DAYS),
  });
  await writeAtomically(files.keyFile, keyText(privateKey), 0o600);
  await writeAtomically(files.certFile, certificate, 0o644);
  return files;
}

async function isGood(files: TlsFiles, now: number): Promise<boolean> {
  try {
    const [ca, certificate, key] = await Promise.all([
      readCertificate(files.caFile),
      readCertificate(files.certFile),
      readKey(files.keyFile),
    ]);
    const fits = certificate.verify(ca.publicKey) && certificate.checkPrivateKey(key);
    const namesAll = NAMES.every((name) =>
      isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name),
    );
    return fits && namesAll && lasts(ca, now) && lasts(certificate, now);
  } catch {
    return false; // absent or damaged: made anew
  }
}

function lasts(certificate: X509Certificate, now: number): boolean {
  const begun = certificate.validFromDate.getTime() <= now;
  return begun && certificate.validToDate.getTime() > now + RENEW_BEFORE_DAYS * DAY_MS;
}

// The authority is kept while it lasts: somebody may have made a browser trust it.
async function loadAuthority(certFile: string, keyFile: string, now: number): Promise<Authority> {
  try {
    const [certificate, privateKey] = await Promise.all([readCertificate(certFile), readKey(keyFile)]);
    if (lasts(certificate, now) && certificate.checkPrivateKey(privateKey))
      return {
        name: certificate.subject.replace('CN=', ''),
        publicKey: createPublicKey(privateKey),
        privateKey,
      };
  } catch {
    // absent or damaged: made anew
  }
  return makeAuthority(certFile, keyFile, now);
}

async function makeAuthority(certFile: string, keyFile: string, now: number): Promise<Authority> {
  const issuer = { name: `Postrider local CA ${randomBytes(3).toString('hex')}`, ...newKeys() };
  const certificate = await makeCertificate({
    subject: issuer.name,
    issuer,
    publicKey: issuer.publicKey,
    names: null,
    ...lifetime(now, CA_DAYS),
  });
  await writeAtomically(keyFile, keyText(issuer.privateKey), 0o600);
  await writeAtomically(certFile, certificate, 0o644);
  return issuer;
}

// A day back, for clients whose clock is behind.
function lifetime(now: number, days: number): { notBefore: number; notAfter: number } {
  return { notBefore: now - DAY_MS, notAfter: now + days * DAY_MS };
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function keyText(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}

async function readKey(file: string): Promise<KeyObject> {
  return createPrivateKey(await readFile(file, 'utf8'));
}

async function readCertificate(file: string): Promise<X509Certificate> {
  return new X509Certificate(await readFile(file, 'utf8'));
}

async function writeAtomically(file: string, content: string, mode: number): Promise<void> {
  await writeFile(`${file}.new`, content, { mode });
  await rename(`${file}.new`, file);
}
