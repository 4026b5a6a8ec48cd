// The request of an inbound message: the whole raw message, signed.

import type pg from 'pg';

import type { Config } from '../../core/base/config.ts';
import { toId } from '../../core/base/ids.ts';
import type { Body } from '../../core/clients/guarded-http.ts';
import { CHUNK_BYTES, readChunks, readWhole } from '../../core/inbound/raw-store.ts';
import type { DeliveryClaim, MailToDeliver } from '../../core/webhook/delivery-store.ts';
import { deliveryHeaders, startSignature } from '../../core/webhook/sign.ts';

/** Reads the message and signs it. Large mail is not held: its body is read again while it is sent. */
export async function mailRequest(
  pool: pg.Pool,
  config: Pick<Config, 'WEBHOOK_HEADER_PREFIX'>,
  claim: DeliveryClaim,
  mail: MailToDeliver,
  secret: string,
): Promise<{ headers: Record<string, string>; body: Body }> {
  const { body, signature } = await signedBody(pool, claim.tenantId, mail, secret);
  const headers = deliveryHeaders(config.WEBHOOK_HEADER_PREFIX, signature, {
    tenantId: toId('tnt', claim.tenantId),
    recipient: mail.recipient,
    deliveryId: toId('dlv', claim.id),
    attempt: claim.attempt,
    messageId: toId('inm', mail.messageId),
    mailFrom: mail.mailFrom,
    peer: mail.peer,
    auth: mail.auth,
    scan: mail.scan,
    junk: mail.junk,
  });
  return { headers, body };
}

// The signature is in a header, so large mail is read twice, chunk by chunk, rather than held.
async function signedBody(
  pool: pg.Pool,
  tenantId: string,
  { rawId, sizeBytes }: MailToDeliver,
  secret: string,
): Promise<{ body: Body; signature: string }> {
  const signature = startSignature(secret);
  if (sizeBytes < CHUNK_BYTES) {
    const body = await readWhole(pool, tenantId, rawId);
    return { body, signature: signature.update(body).digest('hex') };
  }
  const pieces = () => readChunks(pool, tenantId, rawId);
  for await (const piece of pieces()) signature.update(piece);
  return { body: { length: sizeBytes, pieces }, signature: signature.digest('hex') };
}
