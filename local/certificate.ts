// X.509 certificates (RFC 5280) with ECDSA P-256 keys, as far as a local authority and one server need them.

import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

import {
  bitString,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  set,
  time,
  utf8String,
  yes,
} from './der.ts';

/** What a certificate says. */
export interface CertificateContent {
  /** Common name of the subject. */
  subject: string;
  /** Common name and key of the issuer; for the authority itself they are its own. */
  issuer: { name: string; publicKey: KeyObject; privateKey: KeyObject };
  publicKey: KeyObject;
  notBefore: number;
  notAfter: number;
  /** DNS names and IP addresses that a server's certificate is good for; null makes an authority. */
  names: string[] | null;
}

const SERIAL_OCTETS = 16; // RFC 5280 section 4.1.2.2 allows 20
const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;
const V3 = Buffer.from([2]);
const TAG_DNS_NAME = 2; // GeneralName, section 4.2.1.6
const TAG_IP_ADDRESS = 7;

/** Signs a certificate and gives it in PEM. */
export function makeCertificate(content: CertificateContent): string {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const body = sequence(
    explicit(0, integer(V3)),
    integer(serial()),
    algorithm,
    commonName(content.issuer.name),
    sequence(time(content.notBefore), time(content.notAfter)),
    commonName(content.subject),
    spki(content.publicKey),
    explicit(3, sequence(...extensions(content))),
  );
  const signature = sign('sha256', body, content.issuer.privateKey);
  const base64 = sequence(body, algorithm, bitString(signature)).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function extensions({ names, publicKey, issuer }: CertificateContent): Buffer[] {
  const ids = [
    extension(OID.subjectKeyId, octetString(keyId(publicKey))),
    extension(OID.authorityKeyId, sequence(implicit(0, keyId(issuer.publicKey)))),
  ];
  if (names === null) {
    return [
      extension(OID.basicConstraints, sequence(yes(), integer(Buffer.from([0]))), true),
      extension(OID.keyUsage, bitString(Buffer.from([0b0000_0110]), 1), true), // keyCertSign, cRLSign
      ...ids,
    ];
  }
  return [
    extension(OID.basicConstraints, sequence(), true),
    extension(OID.keyUsage, bitString(Buffer.from([0b1000_0000]), 7), true), // digitalSignature
    extension(OID.extKeyUsage, sequence(oid(OID.serverAuth), oid(OID.clientAuth))),
    extension(OID.subjectAltName, sequence(...names.map(generalName))),
    ...ids,
  ];
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [yes()] : []), octetString(value));
}

function generalName(name: string): Buffer {
  if (isIPv4(name)) return implicit(TAG_IP_ADDRESS, Buffer.from(name.split('.').map(Number)));
  if (isIPv6(name)) return implicit(TAG_IP_ADDRESS, ipv6Octets(name));
  return implicit(TAG_DNS_NAME, Buffer.from(name, 'ascii'));
}

function ipv6Octets(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const after = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - groups(head).length - after.length }, () => '0');
  return Buffer.from(
    [...groups(head), ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  );
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(oid(OID.commonName), utf8String(name))));
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

/** SHA-1 of the key's bits (RFC 5280 section 4.2.1.2): a name for the key, not a safeguard. */
function keyId(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return createHash('sha1').update(point).digest();
}

// Positive, and without a leading zero octet.
function serial(): Buffer {
  const octets = randomBytes(SERIAL_OCTETS);
  octets[0] = ((octets[0] ?? 0) & 0x7f) | 0x40;
  return octets;
}
