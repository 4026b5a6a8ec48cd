// A certificate for STARTTLS where none is configured. Mail servers encrypt without looking who signed (RFC 7435), so
// one that signed itself still keeps readers of the wire out. Node signs but does not make certificates: the few DER
// structures of RFC 5280 section 4.1 that are needed are written here.

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

import { nowMs } from '../core/base/clock.ts';

const DAYS = 825;
const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = '06082a8648ce3d040302'; // 1.2.840.10045.4.3.2
const COMMON_NAME = '0603550403'; // 2.5.4.3
const SUBJECT_ALT_NAME = '0603551d11'; // 2.5.29.17
const DNS_NAME_TAG = 0x82; // [2] IA5String, RFC 5280 section 4.2.1.6

/** Makes a P-256 key and a self-signed certificate for a host name. */
export function makeOwnCertificate(hostname: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const host = Buffer.from(hostname.replace(/[^A-Za-z0-9.-]/g, '').slice(0, 63) || 'localhost');
  const algorithm = sequence(Buffer.from(ECDSA_WITH_SHA256, 'hex'));
  const name = sequence(der(0x31, sequence(Buffer.from(COMMON_NAME, 'hex'), der(0x0c, host))));
  const altName = der(0x04, sequence(der(DNS_NAME_TAG, host)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(nowMs() - DAY_MS), time(nowMs() + DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(Buffer.from(SUBJECT_ALT_NAME, 'hex'), altName))),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', certificate),
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...items: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(items));
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`)); // UTCTime: right until 2049
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
