import { expect, test } from 'vitest';

import { complaintAddress, makeArf, makeDsn } from '../../local/simulator/reports.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { startSimulator } from '../../local/simulator/start-simulator.ts';
import { send, testSimulator } from '../harness/simulator.ts';

const RETURN_PATH = 'b+token@bounce.customer.test';

/** A simulator whose reports go to a second one, which stands for inbound. */
async function pair() {
  const inbound = await testSimulator();
  const outside = await testSimulator({ inbound: { host: '127.0.0.1', port: inbound.simulator.smtpPort } });
  return { port: outside.simulator.smtpPort, inbound: inbound.client };
}

/** The parts of a multipart by content type, as text. */
function partsOf(raw: string): Map<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? 'none';
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  return new Map(parts.map((part) => [/Content-Type: ([^;\r]+)/.exec(part)?.[1] ?? '', part]));
}

test('dsn@ accepts the message and then reports to its return path, from the null sender', async () => {
  const { port, inbound } = await pair();
  const reply = await send(port, 'dsn+1@simulator.test', {
    from: RETURN_PATH,
    messageId: '<one@customer.test>',
  });
  expect(reply).toMatch(/^250 /);
  const dsn = await inbound.waitForMessage(RETURN_PATH, 5_000);
  expect(dsn?.mail_from).toBe('');
  expect(dsn?.raw).toMatch(/^Content-Type: multipart\/report; report-type=delivery-status;\r\n/m);
  const parts = partsOf(dsn!.raw);
  expect([...parts.keys()]).toEqual(['text/plain', 'message/delivery-status', 'text/rfc822-headers']);
  const [perMessage, perRecipient] = parts.get('message/delivery-status')!.split('\r\n\r\n').slice(1);
  expect(perMessage).toMatch(/^Reporting-MTA: dns; mx\.simulator\.test\r$/m);
  expect(perRecipient).toMatch(/^Final-Recipient: rfc822; dsn\+1@simulator\.test\r$/m);
  expect(perRecipient).toMatch(/^Action: failed\r\nStatus: 5\.1\.1\r$/m);
  expect(parts.get('text/rfc822-headers')).toContain('Message-ID: <one@customer.test>');
});

test('complained@ accepts the message and then reports to the complaint address', async () => {
  const { port, inbound } = await pair();
  await send(port, 'complained@simulator.test', { from: RETURN_PATH, messageId: '<two@customer.test>' });
  const arf = await inbound.waitForMessage('complaints@bounce.customer.test', 5_000);
  expect(arf?.raw).toMatch(/^Content-Type: multipart\/report; report-type=feedback-report;\r\n/m);
  const parts = partsOf(arf!.raw);
  expect([...parts.keys()]).toEqual(['text/plain', 'message/feedback-report', 'text/rfc822-headers']);
  expect(parts.get('message/feedback-report')).toMatch(
    /^Feedback-Type: abuse\r\nUser-Agent: \S+\r\nVersion: 1\r$/m,
  );
  expect(parts.get('message/feedback-report')).toContain(`Original-Mail-From: <${RETURN_PATH}>`);
  expect(parts.get('message/feedback-report')).toContain('Original-Rcpt-To: <complained@simulator.test>');
  expect(parts.get('text/rfc822-headers')).toContain('Message-ID: <two@customer.test>');
});

test('a report waits for an inbound server that is not there yet', async () => {
  const port = await freePort();
  const lines: string[] = [];
  const outside = await testSimulator({
    inbound: { host: '127.0.0.1', port },
    log: (line) => lines.push(line),
  });
  await send(outside.simulator.smtpPort, 'dsn@simulator.test', { from: RETURN_PATH });
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  const late = await testSimulator({ smtpPort: port });
  expect(await late.client.waitForMessage(RETURN_PATH, 8_000)).toBeDefined();
});

test('no report about a report', () => {
  const report = { mailFrom: '', rcptTo: 'dsn@simulator.test', raw: Buffer.from('Subject: x\r\n\r\n') };
  expect(makeDsn(report)).toBeUndefined();
  expect(makeArf(report)).toBeUndefined();
});

test('stopping does not wait for reports that cannot be sent', async () => {
  const simulator = await startSimulator({ inbound: { host: '127.0.0.1', port: await freePort() } });
  await send(simulator.smtpPort, 'dsn@simulator.test', { from: RETURN_PATH });
  await simulator.stop();
});

test('the complaint address is at the domain of the return path', () => {
  expect(complaintAddress(RETURN_PATH)).toBe('complaints@bounce.customer.test');
});
