// What TLS the doors take that people and programs sign in at: HTTPS and submission. Mail between servers is not held to
// it, because there the other choice is plain text.

import type { TlsOptions } from 'node:tls';

/**
 * TLS 1.2 and newer (RFC 8996), and of TLS 1.2 only what has forward secrecy and authenticated encryption (RFC 9325
 * 4.2): no CBC, no RSA key exchange.
 */
export const SIGN_IN_TLS: Pick<TlsOptions, 'minVersion' | 'ciphers'> = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
};
