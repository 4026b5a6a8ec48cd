// A real Postfix sends to us: ordinary mail over STARTTLS, mail of awkward bytes, and the DSN that it writes when we
// refuse what somebody gave it in the name of a return path of ours.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { skips } from '../harness/needs.ts';
import { postfixMissing, startRelay, type PostfixRelay } from '../harness/postfix.ts';
import { waitUntil } from '../harness/wait.ts';
import type { Account } from '../harness/factories.ts';
import {
  makeAccount,
  makeSent,
  openWorld,
  sendMail,
  storedRaws,
  type InboundWorld,
} from '../harness/inbound-world.ts';

describe.skipIf(skips(postfixMissing()))('Postfix as the sending server', () => {
  let world: InboundWorld;
  let account: Account;
  let relay: PostfixRelay;

  const rows = async (text: string, values: unknown[]) =>
    (await world.context.db.pool.query(text, values)).rows;

  beforeAll(async () => {
    world = await openWorld();
    account = await makeAccount(world.context.db);
    relay = await startRelay({
      relayhost: `[127.0.0.1]:${world.port}`,
      smtp_tls_security_level: 'may',
    });
  });
  afterAll(async () => {
    relay.stop();
    await world.close();
  });

  test('mail of awkward lines arrives as Postfix sends it, over TLS', async () => {
    const body = `.dot\r\n..two\r\n${'x'.repeat(900)}\r\n\r\nend\r\n`;
    const data = `From: ann@sender.test\r\nSubject: via postfix\r\n\r\n${body}`;
    expect(await sendMail(relay.port, { to: `bob@${account.domain}`, data })).toMatch(/^250/);
    await waitUntil(async () => (await storedRaws(world.context)).length === 1, { what: () => relay.log() });
    const [raw] = await storedRaws(world.context);
    const text = raw!.toString('latin1');
    expect(text).toContain('by sending.test (Postfix)');
    expect(text.endsWith(`Subject: via postfix\r\n\r\n${body}`) || text.endsWith(`\r\n\r\n${body}`)).toBe(
      true,
    );
    const [{ tls, mail_from }] = await rows('select tls, mail_from from inbound_raws', []);
    expect(tls).toMatch(/^TLSv1\.[23]$/);
    expect(mail_from).toBe('ann@sender.test');
  });

  test('its DSN after our refusal becomes a hard bounce of the message that the return path names', async () => {
    const sent = await makeSent(world.context, account, { rcptTo: `nobody@bounces.${account.domain}` });
    const data = 'From: shop@example.test\r\nSubject: Hello\r\n\r\nBody\r\n';
    expect(await sendMail(relay.port, { from: sent.returnPath, to: sent.rcptTo, data })).toMatch(/^250/);
    await waitUntil(
      async () => (await rows('select state from messages where id = $1', [sent.id]))[0].state === 'bounced',
      { what: () => relay.log() },
    );
    expect((await rows('select data from events where message_id = $1', [sent.id]))[0].data).toMatchObject({
      kind: 'hard',
      class: 'invalid_recipient',
      smtp_code: 550,
      enhanced_code: '5.1.1',
      source: 'dsn',
    });
  });
});
