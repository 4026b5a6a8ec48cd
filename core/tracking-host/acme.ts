// An ACME directory (RFC 8555) through acme-client, a call for each step: whoever orders keeps the state. Authorities of
// the directory's own certificate are Node's (NODE_EXTRA_CA_CERTS adds some).

import * as acme from 'acme-client';

/** The directory refused: an answer of 400 or above with its problem document (RFC 7807). */
export class AcmeProblem extends Error {
  readonly status: number;
  /** Without `urn:ietf:params:acme:error:`. */
  readonly type: string;

  constructor(status: number, type: string, detail: string) {
    super(detail);
    this.status = status;
    this.type = type;
  }
}

/** An account at a directory, which orders. All of it throws AcmeProblem, or what Node says of a connection. */
export type Acme = Pick<
  acme.Client,
  | 'getOrder'
  | 'createOrder'
  | 'getAuthorizations'
  | 'getChallengeKeyAuthorization'
  | 'completeChallenge'
  | 'finalizeOrder'
  | 'getCertificate'
>;

/** Who asks. */
export interface AcmeCredentials {
  directoryUrl: string;
  /** PEM. */
  accountKey: string;
  accountUrl: string;
}

const REQUEST_MS = 5_000; // a step asks three times at most, within its lease
const PROBLEM_TYPE = 'urn:ietf:params:acme:error:';

/** Registers the key, or finds the account that it has. Answers the URL of the account. */
export async function registerAccount(
  { directoryUrl, accountKey }: Omit<AcmeCredentials, 'accountUrl'>,
  email: string | undefined,
): Promise<string> {
  prepareOnce();
  const client = new acme.Client({ directoryUrl, accountKey });
  await client.createAccount({
    termsOfServiceAgreed: true,
    ...(email === undefined ? {} : { contact: [`mailto:${email}`] }),
  });
  return client.getAccountUrl();
}

/** Opens an account. Asks nothing yet. */
export function openAcme(credentials: AcmeCredentials): Acme {
  prepareOnce();
  return new acme.Client(credentials);
}

/** A certificate signing request for one name (PEM), with this private key (PEM). */
export async function makeRequest(name: string, key: string): Promise<Buffer> {
  const [, csr] = await acme.crypto.createCsr({ altNames: [name] }, key);
  return csr;
}

let isPrepared = false;

// The library's own requests try again by themselves, for minutes, and make of every refusal a bare text. We back off in
// the database, where all processes see it, and want to know what was refused.
function prepareOnce(): void {
  if (isPrepared) return;
  isPrepared = true;
  acme.axios.defaults.adapter = request;
}

type Adapter = Extract<(typeof acme.axios.defaults)['adapter'], (...args: never[]) => unknown>;

const request: Adapter = async (config) => {
  const answer = await fetch(config.url!, {
    method: config.method!.toUpperCase(),
    headers: config.headers.toJSON() as Record<string, string>,
    ...(config.data === undefined ? {} : { body: config.data as string }),
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  const data = await answer.text();
  const { status, statusText } = answer;
  if (status >= 400) {
    const { type, detail } = readProblem(data);
    // The library asks again with a new nonce (RFC 8555 section 6.5).
    if (type !== 'badNonce') throw new AcmeProblem(status, type, detail || `it answered ${status}`);
  }
  return { data, status, statusText, headers: Object.fromEntries(answer.headers), config };
};

function readProblem(text: string): { type: string; detail: string } {
  try {
    const { type, detail } = JSON.parse(text) as Record<string, unknown>;
    return { type: textOf(type).replace(PROBLEM_TYPE, ''), detail: textOf(detail) };
  } catch {
    return { type: '', detail: '' }; // a proxy's page
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
