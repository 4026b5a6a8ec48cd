// node-saml as we use it, for one tenant's connection.

import { SAML, ValidateInResponseTo, type CacheProvider } from '@node-saml/node-saml';

import type { SamlConnection } from './connection-store.ts';
import type { ServiceProvider } from './service-provider.ts';

/** Minutes that somebody has to sign in at their identity provider. */
export const REQUEST_MINUTES = 10;

/** Milliseconds by which the clocks of two companies may differ. */
export const CLOCK_SKEW_MS = 60_000;

/** NameIDs that are email addresses. */
export const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Makes node-saml's object. `requests` is where ids of requests go and come from. */
export function createSaml(
  connection: Pick<SamlConnection, 'idpSsoUrl' | 'certificates'>,
  provider: ServiceProvider,
  requests: CacheProvider,
): SAML {
  return new SAML({
    entryPoint: connection.idpSsoUrl,
    idpCert: connection.certificates,
    issuer: provider.entityId,
    audience: provider.entityId,
    callbackUrl: provider.acsUrl,
    identifierFormat: EMAIL_FORMAT,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false, // the response around a signed assertion says nothing that we believe
    signatureAlgorithm: 'sha256',
    disableRequestedAuthnContext: true, // how people prove themselves is the tenant's own business
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: REQUEST_MINUTES * 60_000,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: REQUEST_MINUTES * 60_000,
    cacheProvider: requests,
  });
}
