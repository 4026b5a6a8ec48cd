// A SAML response whose request is known: its shape, its signature, then what it says. Runs in the process for documents.

import { checkResponse } from './check-response.ts';
import { readAssertion } from './read-assertion.ts';
import type { ExpectedResponse, ResponseResult } from './saml-job.ts';
import { createSaml } from './saml-settings.ts';

const OVER = /expired|not yet valid|no valid subject confirmation/i; // node-saml's words for bad times

/** The person that a response proves, or why not. */
export async function verifyResponse(xml: string, expected: ExpectedResponse): Promise<ResponseResult> {
  const { connection, provider, request } = expected;
  const names = { idpEntityId: connection.idpEntityId, acsUrl: provider.acsUrl, requestId: request.id };
  const shape = await checkResponse(xml, names);
  if (!shape.ok) return shape;
  const verified = await verifySignature(expected, xml);
  if (!verified.ok) {
    return { ok: false, reason: OVER.test(verified.why) ? 'expired' : 'invalid', why: verified.why };
  }
  return readAssertion(verified.assertion, {
    ...names,
    entityId: provider.entityId,
    nowMs: expected.nowMs,
  });
}

// What comes out is the very text that was signed.
async function verifySignature(
  { connection, provider, request }: ExpectedResponse,
  xml: string,
): Promise<{ ok: true; assertion: string } | { ok: false; why: string }> {
  const saml = createSaml(connection, provider, {
    saveAsync: async () => null,
    getAsync: async (id) => (id === request.id ? request.createdAt.toISOString() : null),
    removeAsync: async () => null,
  });
  try {
    const SAMLResponse = Buffer.from(xml, 'utf8').toString('base64');
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    const assertion = profile?.getAssertionXml?.();
    return assertion ? { ok: true, assertion } : { ok: false, why: 'there is no assertion' };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message.slice(0, 200) : 'not valid' };
  }
}
