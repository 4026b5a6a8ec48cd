// A real identity provider (samlify) on 127.0.0.1. Its page signs in whoever the test says, at once: it answers a
// request with a form that posts itself, as real ones do. Tests that attack make the same answers without the page.

import 'reflect-metadata'; // @peculiar/x509 wants it loaded first
import { webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import * as x509 from '@peculiar/x509';
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from 'samlify';

/** How an answer differs from an honest one. */
export interface AnswerChanges {
  email?: string;
  /** Milliseconds by which all its times are moved. */
  shiftMs?: number;
  /** Which elements are signed; the assertion when left out. */
  sign?: 'assertion' | 'response' | 'both' | 'nothing';
  /** URI of the signature method; RSA with SHA-256 when left out. */
  algorithm?: string;
  /** Changes the XML before it is signed. */
  before?: (xml: string) => string;
  /** Changes the XML after it is signed. */
  after?: (xml: string) => string;
}

/** A running identity provider. */
export interface SamlIdp {
  url: string;
  entityId: string;
  metadataXml: string;
  /** PEM. */
  certificate: string;
  /** Who the page signs in from now on. */
  signInAs(email: string): void;
  /** The SAMLResponse in base64 to a request, given as the address that the browser was sent to. */
  answer(requestUrl: string, changes?: AnswerChanges): Promise<string>;
  close(): Promise<void>;
}

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const VALID_MS = 300_000;
const { binding } = Constants.namespace;

// samlify's own schema validators need Java or libxml; what comes here is our own.
setSchemaValidator({ validate: () => Promise.resolve('not looked at') });

/** Starts one. `entityId` is another's name when a test wants to be mistaken for it. */
export async function startSamlIdp(options: { entityId?: string } = {}): Promise<SamlIdp> {
  const { privateKey, certificate } = await makeKeys();
  let who = 'nobody@example.com';
  const server = createServer((incoming, outgoing) => {
    const page = async () => {
      const requestUrl = new URL(incoming.url ?? '/', url).href;
      const form = autoPost(readRequest(requestUrl).acsUrl, await answer(requestUrl));
      outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(form);
    };
    page().catch((error: unknown) => outgoing.writeHead(400).end(String(error)));
  });
  const url = await listen(server);
  const entityId = options.entityId ?? `${url}/metadata`;
  const idp = makeIdp({ entityId, url, privateKey, certificate }, RSA_SHA256);

  async function answer(requestUrl: string, changes: AnswerChanges = {}): Promise<string> {
    const { issuer, acsUrl, query } = readRequest(requestUrl);
    const signed = changes.sign ?? 'assertion';
    const sp = ServiceProvider({
      entityID: issuer,
      wantAssertionsSigned: signed !== 'response',
      wantMessageSigned: signed === 'both',
      assertionConsumerService: [{ Binding: binding.post, Location: acsUrl }],
    });
    const own = changes.algorithm
      ? makeIdp({ entityId, url, privateKey, certificate }, changes.algorithm)
      : idp;
    const request = await own.parseLoginRequest(sp, 'redirect', { query });
    const xml = templateFor(changes, {
      email: changes.email ?? who,
      requestId: (request.extract as { request: { id: string } }).request.id,
      entityId,
      issuer,
      acsUrl,
    });
    const { context } = await own.createLoginResponse(sp, request as never, 'post', {}, () => ({
      id: '_unused',
      context: xml,
    }));
    let text = Buffer.from(context, 'base64').toString();
    if (signed === 'nothing') text = text.replace(/<ds:Signature.*<\/ds:Signature>/s, '');
    return Buffer.from(changes.after?.(text) ?? text).toString('base64');
  }

  return {
    url,
    entityId,
    metadataXml: idp.getMetadata(),
    certificate,
    signInAs: (email) => void (who = email),
    answer,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface IdpOptions {
  entityId: string;
  url: string;
  privateKey: string;
  certificate: string;
}

function makeIdp({ entityId, url, privateKey, certificate }: IdpOptions, algorithm: string) {
  return IdentityProvider({
    entityID: entityId,
    privateKey,
    signingCert: certificate,
    isAssertionEncrypted: false,
    requestSignatureAlgorithm: algorithm,
    nameIDFormat: [EMAIL],
    singleSignOnService: [{ Binding: binding.redirect, Location: `${url}/sso` }],
    singleLogoutService: [{ Binding: binding.redirect, Location: `${url}/slo` }], // samlify warns without it
  });
}

function readRequest(requestUrl: string) {
  const query = Object.fromEntries(new URL(requestUrl).searchParams);
  const xml = inflateRawSync(Buffer.from(query['SAMLRequest'] ?? '', 'base64')).toString();
  const issuer = /<saml:Issuer[^>]*>([^<]+)</.exec(xml)?.[1] ?? '';
  const acsUrl = /AssertionConsumerServiceURL="([^"]+)"/.exec(xml)?.[1] ?? '';
  return { query, issuer, acsUrl };
}

let made = 0;

// samlify's own template has no AuthnStatement, without which nobody signed in.
function templateFor(
  changes: AnswerChanges,
  of: { email: string; requestId: string; entityId: string; issuer: string; acsUrl: string },
): string {
  const now = Date.now() + (changes.shiftMs ?? 0);
  const context = SamlLib.defaultLoginResponseTemplate.context.replace(
    '{AuthnStatement}',
    '<saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>',
  );
  const until = new Date(now + VALID_MS).toISOString();
  const xml = SamlLib.replaceTagsByValue(context, {
    ID: `_response${++made}`,
    AssertionID: `_assertion${made}-${now}`,
    Destination: of.acsUrl,
    Audience: of.issuer,
    SubjectRecipient: of.acsUrl,
    Issuer: of.entityId,
    IssueInstant: new Date(now).toISOString(),
    StatusCode: Constants.StatusCode.Success,
    ConditionsNotBefore: new Date(now).toISOString(),
    ConditionsNotOnOrAfter: until,
    SubjectConfirmationDataNotOnOrAfter: until,
    NameIDFormat: EMAIL,
    NameID: of.email,
    InResponseTo: of.requestId,
    AttributeStatement: '',
  });
  return changes.before?.(xml) ?? xml;
}

function autoPost(acsUrl: string, response: string): string {
  return `<!doctype html><title>Identity provider</title>
<form method="post" action="${acsUrl}"><input type="hidden" name="SAMLResponse" value="${response}"></form>
<script>document.forms[0].submit()</script>`;
}

async function makeKeys(): Promise<{ privateKey: string; certificate: string }> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const rsa = { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  const keys = (await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])) as CryptoKeyPair;
  const day = 86_400_000;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=idp.test',
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    keys,
    signingAlgorithm: algorithm,
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const body = Buffer.from(pkcs8)
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
  return { privateKey, certificate: certificate.toString('pem') };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
