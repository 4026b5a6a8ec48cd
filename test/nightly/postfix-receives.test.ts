// A real Postfix as the receiving MX: what arrives there is the message, and its DKIM signature verifies with a
// verifier that we did not write.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender } from '../../core/clients/sender.ts';
import { dkimRecordValue } from '../../core/domain/dkim-key.ts';
import { OutgoingMessage, SendRequest } from '../../core/gen/sender/v1/sender.ts';
import { skips } from '../harness/needs.ts';
import { postfixMissing, startPostfix, type Postfix } from '../harness/postfix.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

describe.skipIf(skips(postfixMissing()))('a real Postfix', () => {
  let postfix: Postfix | undefined;
  let stack: Stack;

  beforeAll(async () => {
    postfix = await startPostfix(['sink.test']);
    stack = await createStack({ senders: 1, env: { OUTBOUND_SMTP_PORT: String(postfix.port) } });
  });
  afterAll(async () => {
    await stack?.close();
    postfix?.stop();
  });

  test('gets the message, and its DKIM signature verifies', async () => {
    const account = await stack.makeAccount();
    const sender = openSender(
      { ...stack.context.config, SENDER_ADDRESSES: stack.senderAddresses() },
      stack.context.log,
    );
    const message = OutgoingMessage.fromPartial({
      from: `Größe & Co <shop@${account.domain}>`,
      to: ['ann@sink.test'],
      subject:
        'Ünïcode, and a long subject that is folded because it is longer than one line of seventy-eight characters',
      html: '<p>Hello <b>Ann</b></p>\n.\n<p>a line with a dot above, and trailing space </p>\r\n'.repeat(50),
      attachments: [
        {
          filename: 'ärger.bin',
          content: Buffer.from([0, 13, 10, 46, 10, 255]),
          contentType: '',
          contentId: '',
        },
      ],
    });
    await sender.send(
      SendRequest.fromPartial({
        tenantId: toId('tnt', account.tenantId),
        messageId: toId('msg', newUuid()),
        message,
      }),
    );
    sender.close();
    await waitUntil(async () => (await stack.countByState(account))['delivered'] === 1);
    await waitUntil(() => postfix!.mails().length === 1);

    const { rows } = await stack.context.db.pool.query<{ selector: string; public_key: string }>(
      'select selector, public_key from dkim_keys where domain_id = $1',
      [account.domainId],
    );
    const record = dkimRecordValue({ algorithm: 'rsa-sha256', publicKey: rows[0]!.public_key });
    const resolver = (name: string) =>
      name === `${rows[0]!.selector}._domainkey.${account.domain}`
        ? Promise.resolve([[record]])
        : Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const raw = Buffer.from(postfix!.mails()[0]!.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
    const { results } = await dkimVerify(raw, { resolver });
    expect(results.map((one) => one.status.result)).toEqual(['pass']);
    expect(results[0]!.signingDomain).toBe(account.domain);
    const head = raw.toString('latin1');
    expect(head).toContain(`Return-Path: <b+`);
    expect(head).toMatch(new RegExp(`^Message-ID: <.*@${account.domain}>`, 'im'));
  });
});
