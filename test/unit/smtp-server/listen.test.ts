import { afterEach, expect, test } from 'vitest';

import { createLogger } from '../../../core/base/log.ts';
import { listenSmtp, type RunningSmtp } from '../../../core/smtp-server/listen.ts';
import { Refusal } from '../../../core/smtp-server/refusal.ts';
import { createSessionLimits } from '../../../core/smtp-server/session-limits.ts';
import { connectSmtp } from '../../harness/smtp-client.ts';

let server: RunningSmtp;
afterEach(() => server.stop());

test('a session whose time is up between the final dot and its answer gets that answer first', async () => {
  const timeIsUp: (() => void)[] = [];
  const limits = createSessionLimits({ perAddress: 1, sessionMs: 60_000 });
  let store = () => {};
  const stored = new Promise<void>((resolve) => (store = resolve));
  server = await listenSmtp(
    {
      host: '127.0.0.1',
      port: 0,
      log: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
      limits: {
        ...limits,
        enter: (session, end) => {
          limits.enter(session, end);
          timeIsUp.push(() => end(new Refusal(421, '4.4.2 This session took too long; goodbye')));
        },
      },
      protocol: { disabledCommands: ['AUTH', 'STARTTLS'] },
    },
    {
      onMail: () => {},
      onRcpt: () => {},
      onData: async (stream) => {
        for await (const _ of stream);
        timeIsUp[0]!();
        await stored;
        return '2.0.0 Stored';
      },
    },
  );
  const client = await connectSmtp(server.port);
  for (const command of ['EHLO client.test', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA'])
    await client.say(command);
  const answer = client.say('Subject: x\r\n\r\nx\r\n.');
  setImmediate(store);
  expect(await answer).toBe('250 2.0.0 Stored');
  expect(await client.reply()).toMatch(/^421 4\.4\.2 This session took too long/);
});
