// The jobs of the process that reads SAML documents (saml-process.ts), and their results. Plain data without secrets: the
// documents, and what is public of a connection.

import type { FieldProblem } from '../base/errors.ts';
import type { SamlConnection } from './connection-store.ts';
import type { IdpSettings } from './idp-settings.ts';
import type { ServiceProvider } from './service-provider.ts';

/** Most bytes of a document that is read. */
export const MAX_XML_BYTES = 262_144;

/** What a response must be an answer to. */
export interface ExpectedResponse {
  connection: Pick<SamlConnection, 'idpEntityId' | 'idpSsoUrl' | 'certificates'>;
  provider: ServiceProvider;
  request: { id: string; createdAt: Date };
  nowMs: number;
}

/** Who signed in. */
export interface VerifiedPerson {
  assertionId: string;
  /** Normalized address and its domain. */
  email: string;
  domain: string;
}

/** Why a response is refused: `idp_refused` when the identity provider reports a failure. */
export interface ResponseRefusal {
  ok: false;
  reason: 'invalid' | 'idp_refused' | 'expired' | 'no_email';
  why: string;
}

/** The person that a response proves, or why not. */
export type ResponseResult = { ok: true; person: VerifiedPerson } | ResponseRefusal;

/** The settings that metadata contains, or what is wrong with it. */
export type MetadataResult = { ok: true; settings: IdpSettings } | { ok: false; problems: FieldProblem[] };

/** A document to read. */
export type SamlJob = { tenantId: string; xml: string } & (
  | { kind: 'metadata' }
  | { kind: 'response'; expected: ExpectedResponse }
);

/** What came out, or the message of an exception. */
export type SamlResult =
  | { kind: 'metadata'; result: MetadataResult }
  | { kind: 'response'; result: ResponseResult }
  | { kind: 'threw'; message: string };
